import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { useCodeText } from '../../../shared/i18n/use-error-text.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from './bulk-dialog.module.css';

/** The price of one line; null where prices differ. */
function priceOfEach({ items }: Job): number | null {
  const costs = new Set(items.filter(({ state }) => state !== 'skipped').map(({ cost }) => cost));
  return costs.size === 1 ? ([...costs][0] ?? null) : null;
}

export function BalanceSummary({ job, lines }: { job: Job; lines: number }) {
  const { t } = useTranslation('bulk');
  const codeText = useCodeText();
  const { is_admin } = useMe();
  // Administrators are not charged.
  if (is_admin || (job.cost === 0 && job.action !== 'renew')) return null;
  const each = priceOfEach(job);
  const number = (value: number) => t('number', { value });
  const amount = (count: number) => t('credits.amount', { count });
  return (
    <>
      <Stack as="dl" gap={4} className={styles.balance} aria-live="polite">
        <Row align="stretch" gap={16} justify="between">
          <dt>{t('preview.before')}</dt>
          <dd>{number(job.credits)}</dd>
        </Row>
        <Row align="stretch" gap={16} justify="between">
          <dt>
            {each === null
              ? t('countedLines', { count: lines })
              : t('preview.each', {
                  lines: t('countedLines', { count: lines }),
                  credits: amount(each),
                })}
          </dt>
          <dd>{number(job.cost > 0 ? -job.cost : 0)}</dd>
        </Row>
        <Row
          align="stretch"
          gap={16}
          justify="between"
          data-short={job.credits_after < 0 || undefined}
        >
          <dt>{t('preview.after')}</dt>
          <dd>{amount(job.credits_after)}</dd>
        </Row>
      </Stack>
      {job.credits_after < 0 && (
        <Banner
          isAlert
          tone="error"
          title={codeText('INSUFFICIENT_CREDITS', { required: job.cost, available: job.credits })}
        >
          <p>{t('preview.adviceCredits')}</p>
        </Banner>
      )}
    </>
  );
}
