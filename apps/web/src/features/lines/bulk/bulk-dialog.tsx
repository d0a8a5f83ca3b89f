import type { Job } from '@linekeeper/contract/bulk.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/client.ts';
import { useIdempotencyKey } from '../../../shared/api/use-idempotency-key.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useOrderJob } from '../../../shared/jobs/queries.ts';
import { Banner } from '../../../shared/ui/banner.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { RequestDetails } from '../../../shared/ui/request-details.tsx';
import { SheetDialog } from '../../../shared/ui/sheet-dialog.tsx';
import { BalanceSummary } from './balance-summary.tsx';
import { PreviewTable } from './preview-table.tsx';
import { firstTerms, isComplete, type PreviewedAction, type Term } from './term.ts';
import { TermChoice } from './term-choice.tsx';
import type { BulkLines } from './use-bulk-selection.ts';
import { useEffectText } from './use-effect-text.ts';
import { usePreview } from './use-preview.ts';

interface BulkDialogProps {
  action: PreviewedAction;
  lines: BulkLines;
  /** null where the filter finds more than are counted. */
  count: number | null;
  onOrdered: () => void;
  onClose: () => void;
}

/** The lines of a preview that would be changed: these, and no others, are ordered. */
function idsToChange({ items }: Job): string[] {
  return items.flatMap(({ state, line_id }) => (state !== 'skipped' && line_id ? [line_id] : []));
}

/** What is to be done with the lines, what it would change and cost, and the order itself. */
export function BulkDialog({ action, count, onOrdered, onClose, ...props }: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const [lines] = useState(props.lines);
  const [term, setTerm] = useState<Term>(firstTerms[action]);
  const { job, isFresh, error, retry } = usePreview(term, lines);
  const effect = useEffectText();
  const keyOf = useIdempotencyKey();
  const order = useOrderJob();
  const ids = job ? idsToChange(job) : [];
  const isShort = job !== undefined && job.credits_after < 0;
  const canOrder = isFresh && ids.length > 0 && !isShort;

  const send = () => {
    if (!canOrder || order.isPending) return;
    const body = { ...term, ids };
    order.mutate({ body, idempotencyKey: keyOf(body) }, { onSuccess: onOrdered });
  };
  return (
    <SheetDialog
      title={effect(action, count ?? job?.total ?? null)}
      isBusy={order.isPending}
      onClose={onClose}
      footer={
        <>
          <p>
            {job &&
              job.skipped > 0 &&
              t(action === 'renew' ? 'preview.skippedFree' : 'preview.skipped', {
                count: job.skipped,
              })}
          </p>
          <Button disabled={order.isPending} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant="solid"
            tone={action === 'delete' ? 'danger' : 'primary'}
            pending={order.isPending}
            aria-disabled={!canOrder}
            disabled={isFresh && !canOrder}
            onClick={send}
          >
            {effect(action, job && isComplete(term) ? ids.length : null, job?.cost)}
          </Button>
        </>
      }
    >
      <TermChoice term={term} onChange={setTerm} />
      <PreviewFailed error={order.error ?? error} onRetry={order.error ? send : retry} />
      {job && <PreviewTable action={action} job={job} />}
      {!job && !error && isComplete(term) && <p role="status">{t('preview.loading')}</p>}
      {job && action !== 'delete' && <BalanceSummary job={job} lines={ids.length} />}
      {isFresh && ids.length === 0 && <Banner tone="info" title={t('preview.nothing')} />}
    </SheetDialog>
  );
}

/** What the panel refused it would refuse again; what was lost or too much may go through. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status < 400 || error.status >= 429;
}

function PreviewFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Banner
      isAlert
      tone="error"
      title={errorText(error)}
      action={
        mayPass(error) && (
          <Button size="small" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        )
      }
    >
      <RequestDetails error={error} />
    </Banner>
  );
}
