import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isShort } from '#domain/prices/is-short.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useMe } from '#platform/data/session.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';

/** The price of one line; null if prices differ. */
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
  /** Selects as many lines as the balance covers, in the order of the list. */
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
      <dl
        className="grid grid-cols-1 gap-1 py-0 px-4 [&>:last-child]:mt-1 [&>:last-child]:pt-2 [&>:last-child]:border-t [&>:last-child]:border-t-divider [&>:last-child]:*:text-text [&>:last-child]:*:font-bold [&>[data-short]>*]:text-danger"
        aria-live="polite"
      >
        <div className="flex items-stretch justify-between gap-4">
          <dt>{t('field.balanceBefore')}</dt>
          <dd>{number(job.credits)}</dd>
        </div>
        <div className="flex items-stretch justify-between gap-4">
          <dt>
            {each === null
              ? t('serverCard.lines', { count: lines })
              : t('preview.each', {
                  lines: t('serverCard.lines', { count: lines }),
                  credits: amount(each),
                })}
          </dt>
          <dd>{number(0 - job.cost)}</dd>
        </div>
        <div
          className="flex items-stretch justify-between gap-4"
          data-short={isTooDear || undefined}
        >
          <dt>{t('field.balanceAfter')}</dt>
          <dd>{amount(job.credits_after)}</dd>
        </div>
      </dl>
      {isTooDear && <TooFewCredits job={job} onFirst={onFirst} />}
    </>
  );
}

/** The remedies: fewer lines, or more credits. */
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
        <div className="flex items-center flex-wrap gap-2">
          {onFirst && first.length > 0 && (
            <Button size="small" onClick={() => onFirst(first)}>
              {t('preview.first', { count: first.length })}
            </Button>
          )}
          <ButtonLink size="small" to="/payments/pricing" icon={<Wallet />}>
            {t('places.pricing')}
          </ButtonLink>
        </div>
      }
    >
      <p>{t('preview.adviceCredits')}</p>
    </Banner>
  );
}
