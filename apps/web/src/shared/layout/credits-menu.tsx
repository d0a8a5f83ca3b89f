import { listPrices } from '@linekeeper/contract/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { useMe } from '../session.ts';
import { showNumber } from '../show-number.ts';
import styles from './header.module.css';
import { HeaderPopover } from './header-popover.tsx';

/** The balance, and behind it what a line costs. */
export function CreditsMenu() {
  const { t, i18n } = useTranslation();
  const { credits } = useMe();
  const shown = showNumber(credits, i18n.language);
  return (
    <HeaderPopover
      label={t('credits.label')}
      width={248}
      trigger={(props) => (
        <button type="button" className={styles.credits} {...props}>
          <Coins size={18} aria-hidden="true" />
          <span>
            {shown}
            <span className={styles.creditsWord}> {t('credits.unit', { count: credits })}</span>
          </span>
          <ChevronDown size={16} aria-hidden="true" />
        </button>
      )}
    >
      {() => (
        <>
          <div className={styles.balance}>
            <span>{t('credits.label')}</span>
            <b>{shown}</b>
          </div>
          <hr />
          <PriceList />
        </>
      )}
    </HeaderPopover>
  );
}

function PriceList() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const prices = useQuery({
    queryKey: ['credits', 'prices'],
    queryFn: ({ signal }) => call(listPrices, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className={styles.prices}>
      <h2>{t('credits.prices')}</h2>
      {prices.error && <p>{errorText(prices.error)}</p>}
      <dl>
        {prices.data?.map(({ months, cost }) => (
          <div key={months}>
            <dt>{t('credits.months', { count: months })}</dt>
            <dd>{t('credits.amount', { count: cost })}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
