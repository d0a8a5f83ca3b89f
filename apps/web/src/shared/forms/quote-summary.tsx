import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../session.ts';
import styles from './quote-summary.module.css';

/** The panel's quote: cost, balance and expiry date. */
export type Quote = Pick<
  Reply<typeof quoteLine>,
  'cost' | 'balance' | 'balance_after' | 'expiry_date'
>;

/** New expiry date, cost and balance; null shows nothing. */
export function QuoteSummary({ quote }: { quote: Quote | null }) {
  const { t } = useTranslation();
  const { is_admin } = useMe();
  return (
    <dl className={styles.summary} aria-live="polite">
      <div>
        <dt>{t('quote.newExpiry')}</dt>
        <dd>{quote ? formatDay(quote.expiry_date) : '–'}</dd>
      </div>
      {is_admin ? (
        <div>
          <dt>{t('quote.cost')}</dt>
          <dd>{t('quote.free')}</dd>
        </div>
      ) : (
        quote && (
          <div>
            <dt>{t('quote.balanceAfter')}</dt>
            <dd data-short={quote.balance_after < 0 || undefined}>
              <span>{t('quote.number', { value: quote.balance })}</span>{' '}
              <ArrowRight size={14} aria-hidden="true" />
              {t('credits.amount', { count: quote.balance_after })}
            </dd>
          </div>
        )
      )}
    </dl>
  );
}
