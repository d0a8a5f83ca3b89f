import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { Equal, Minus } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { usePriceOf } from '#domain/prices/prices.ts';
import { quoteQuery } from '#features/lines/queries.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery, useToday } from '#platform/data/settings.ts';
import type { NewLineForm } from './add-line-types.ts';

/** The balance after this sale, from the panel's quote. */
export function BalanceLine({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const quote = useSaleQuote(control);
  const number = (value: number | undefined) =>
    value === undefined ? '–' : t('number', { value });
  return (
    <div
      className="flex items-center flex-wrap gap-x-6 gap-y-1 py-3 px-6 rounded-[12px] bg-head [&>svg]:mt-4 [&>svg]:text-icon phone:flex-nowrap phone:items-end phone:justify-between phone:gap-2 phone:px-4 phone:[&>svg]:mt-0 phone:[&>svg]:mb-1.5 small-phone:px-3"
      aria-live="polite"
    >
      {is_admin ? (
        <Amount name={t('add.thisLine')} value={t('quote.free')} />
      ) : (
        <>
          <Amount name={t('field.balanceNow')} value={number(quote.balance)} />
          <Minus size={16} />
          <Amount name={t('add.thisLine')} value={number(quote.cost)} />
          <Equal size={16} />
          <Amount
            name={t('field.balanceAfter')}
            value={number(quote.balance_after)}
            unit={
              quote.balance_after === undefined
                ? undefined
                : t('counted.credits', { count: quote.balance_after })
            }
            isShort={(quote.balance_after ?? 0) < 0}
          />
        </>
      )}
      <Amount name={t('add.validThrough')} value={formatDay(quote.expiry_date)} isLast />
    </div>
  );
}

/**
 * The price and the expiry date of the line that is being sold: computed in the browser until the panel's quote
 * arrives.
 */
export function useSaleQuote(control: NewLineForm['control']) {
  const [is_trial = false, subscription_months, plan_id] = useWatch({
    control,
    name: ['is_trial', 'subscription_months', 'plan_id'],
  });
  const expected = useExpectedQuote(plan_id, is_trial, subscription_months);
  const { data } = useQuery(
    quoteQuery({ plan_id, is_trial, ...(!is_trial && { subscription_months }) }),
  );
  return data ?? expected;
}

/**
 * The parts of the quote that are known without the server: balance, price list and calendar. Only the server knows how
 * many credits remain. Shown until it replies.
 */
function useExpectedQuote(planId: string | undefined, isTrial: boolean, months = 0) {
  const { credits } = useMe();
  const today = useToday();
  const { data: settings } = useQuery(publicSettingsQuery());
  const price = usePriceOf(planId)(months);
  const cost = isTrial ? 0 : price;
  return {
    balance: credits,
    cost,
    balance_after: undefined,
    expiry_date: isTrial ? addDays(today, settings?.trial_days ?? 0) : addMonths(today, months),
  };
}

interface AmountProps {
  name: string;
  value: string;
  unit?: string | undefined;
  /** True if the balance would be negative, so that the panel will refuse the sale. */
  isShort?: boolean | undefined;
  isLast?: boolean;
}

/** A part of the quote. The last one, the expiry date, is hidden on a phone, because the cards above show it. */
function Amount({ name, value, unit, isShort, isLast }: AmountProps) {
  return (
    <div className={`flex flex-col ${isLast ? 'ms-auto text-end phone:hidden' : ''}`}>
      <span className="text-text-2 type-caption">{name}</span>
      <b className={`type-[700_18px/28px_var(--font)] ${isShort ? 'text-danger' : ''}`}>
        {value}{' '}
        {unit && (
          <small className="text-inherit type-[400_18px/28px_var(--font)] only-wide">{unit}</small>
        )}
      </b>
    </div>
  );
}
