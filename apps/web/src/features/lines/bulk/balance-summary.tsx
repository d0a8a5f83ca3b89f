import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isShort } from '#domain/prices/is-short.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { Row, Stack } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import styles from './bulk-dialog.module.css';

/** The price of one line; null where prices differ. */
function priceOfEach({ items }: Job): number | null {
  const costs = new Set(items.filter(({ state }) => state !== 'skipped').map(({ cost }) => cost));
  return costs.size === 1 ? ([...costs][0] ?? null) : null;
}

/** The lines, from the first on, that the balance pays for. */
function affordable({ items, credits }: Job): string[] {
  let left = credits;
  const ids: string[] = [];
  for (const { state, line_id, cost } of items) {
    if (state === 'skipped' || !line_id) continue;
    left -= cost;
    if (left < 0) return ids;
    ids.push(line_id);
  }
  return ids;
}

interface BalanceSummaryProps {
  job: Job;
  lines: number;
  /** Leaves the others for later. */
  onFirst?: (ids: string[]) => void;
}

export function BalanceSummary({ job, lines, onFirst }: BalanceSummaryProps) {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  // Administrators are not charged.
  if (is_admin || (job.cost === 0 && job.action !== 'renew')) return null;
  const isTooDear = isShort({ cost: job.cost, balance: job.credits });
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
        <Row align="stretch" gap={16} justify="between" data-short={isTooDear || undefined}>
          <dt>{t('preview.after')}</dt>
          <dd>{amount(job.credits_after)}</dd>
        </Row>
      </Stack>
      {isTooDear && <TooFewCredits job={job} onFirst={onFirst} />}
    </>
  );
}

/** The ways on: fewer lines, or more credits. */
function TooFewCredits({ job, onFirst }: Pick<BalanceSummaryProps, 'job' | 'onFirst'>) {
  const { t } = useTranslation('bulk');
  const codeText = useCodeText();
  const first = affordable(job);
  return (
    <Banner
      isAlert
      tone="error"
      title={codeText('INSUFFICIENT_CREDITS', { required: job.cost, available: job.credits })}
      action={
        <Row gap={8} wrap>
          {onFirst && first.length > 0 && (
            <Button size="small" onClick={() => onFirst(first)}>
              {t('preview.first', { count: first.length })}
            </Button>
          )}
          <ButtonLink size="small" to="/payments/pricing" icon={<Wallet />}>
            {t('preview.topUp')}
          </ButtonLink>
        </Row>
      }
    >
      <p>{t('preview.adviceCredits')}</p>
    </Banner>
  );
}
