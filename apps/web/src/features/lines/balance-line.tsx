import { creditCost } from '@linekeeper/contract/credits.ts';
import { addDays, addMonths, showDay } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { Equal, Minus } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/session.ts';
import { publicSettingsQuery, useToday } from '../../shared/settings.ts';
import type { NewLineForm } from './add-line-types.ts';
import styles from './balance-line.module.css';
import { quoteQuery } from './queries.ts';

/** What the balance will be after this sale, as the panel itself reckons it. */
export function BalanceLine({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const [is_trial = false, subscription_months] = useWatch({
    control,
    name: ['is_trial', 'subscription_months'],
  });
  const expected = useExpectedQuote(is_trial, subscription_months);
  const { data } = useQuery(
    quoteQuery(is_trial ? { is_trial } : { is_trial, subscription_months }),
  );
  // What is reckoned here stands until the panel has answered, and where it does not.
  const quote = data ?? expected;
  const number = (value: number) => t('number', { value });
  return (
    <div className={styles.balance} aria-live="polite">
      {is_admin ? (
        <Amount name={t('add.thisLine')} value={t('add.freeForAdministrators')} />
      ) : (
        <>
          <Amount name={t('add.balanceNow')} value={number(quote.balance)} />
          <Minus size={16} aria-hidden="true" />
          <Amount name={t('add.thisLine')} value={number(quote.cost)} />
          <Equal size={16} aria-hidden="true" />
          <Amount
            name={t('add.balanceAfter')}
            value={number(quote.balance_after)}
            unit={t('add.credits', { count: quote.balance_after })}
            isShort={quote.balance_after < 0}
          />
        </>
      )}
      <Amount name={t('add.validThrough')} value={showDay(quote.expiry_date)} isLast />
    </div>
  );
}

/** The panel's own rules, applied to what is known already. */
function useExpectedQuote(isTrial: boolean, months = 0) {
  const { credits } = useMe();
  const today = useToday();
  const { data: settings } = useQuery(publicSettingsQuery());
  const cost = isTrial ? 0 : creditCost(months);
  return {
    balance: credits,
    cost,
    balance_after: credits - cost,
    expiry_date: isTrial ? addDays(today, settings?.trial_days ?? 0) : addMonths(today, months),
  };
}

interface AmountProps {
  name: string;
  value: string;
  unit?: string;
  /** Less than nothing: the sale will be refused. */
  isShort?: boolean | undefined;
  isLast?: boolean;
}

function Amount({ name, value, unit, isShort, isLast }: AmountProps) {
  return (
    <div data-short={isShort || undefined} data-last={isLast || undefined}>
      <span>{name}</span>
      <b>
        {value} {unit && <small className="only-wide">{unit}</small>}
      </b>
    </div>
  );
}
