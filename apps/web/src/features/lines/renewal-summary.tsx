import { showDay } from '@linekeeper/contract/dates.ts';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/session.ts';
import styles from './renew-form.module.css';
import type { RenewalQuote } from './use-renewal-quote.ts';

interface RenewalSummaryProps {
  /** null while there is no date to say something about. */
  quote: RenewalQuote | null;
  isEarlier: boolean;
}

export function RenewalSummary({ quote, isEarlier }: RenewalSummaryProps) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const { is_admin } = useMe();
  const after = quote?.balance_after ?? 0;
  return (
    <dl className={styles.summary} aria-live="polite">
      <div>
        <dt>{t('renew.newExpiry')}</dt>
        <dd>{quote ? showDay(quote.expiry_date) : '–'}</dd>
      </div>
      {is_admin ? (
        <div>
          <dt>{t('renew.cost')}</dt>
          <dd>{t('add.freeForAdministrators')}</dd>
        </div>
      ) : (
        quote && (
          <div>
            <dt>{t('add.balanceAfter')}</dt>
            <dd data-short={after < 0 || undefined}>
              <span>{t('number', { value: quote.balance })}</span>{' '}
              <ArrowRight size={14} aria-hidden="true" />
              {common('credits.amount', { count: after })}
            </dd>
          </div>
        )
      )}
      {quote && isEarlier && !is_admin && <p>{t('renew.earlier')}</p>}
    </dl>
  );
}
