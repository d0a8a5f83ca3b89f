import { type Job, MAX_MORE_DAYS } from '@linekeeper/contract/lines/bulk.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/client.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useStartJob } from '../../../shared/jobs/queries.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { SheetDialog } from '../../../shared/ui/dialogs/sheet-dialog.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { RequestDetails } from '../../../shared/ui/states/request-details.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { AddressChanges } from './address-changes.tsx';
import { BalanceSummary } from './balance-summary.tsx';
import { type BulkChange, firstChanges, isComplete, type PreviewedAction } from './bulk-change.ts';
import { PreviewTable } from './preview-table.tsx';
import { RenewalChoice } from './renewal-choice.tsx';
import type { BulkLines } from './use-bulk-selection.ts';
import { useEffectText } from './use-effect-text.ts';
import { usePreview } from './use-preview.ts';

interface BulkDialogProps {
  action: PreviewedAction;
  lines: BulkLines;
  /** null where the filter matches more lines than are counted. */
  count: number | null;
  onOrdered: () => void;
  onClose: () => void;
}

/** Only lines that the preview would change are ordered; skipped ones are left out. */
function idsToChange({ items }: Job): string[] {
  return items.flatMap(({ state, line_id }) => (state !== 'skipped' && line_id ? [line_id] : []));
}

/** Chooses the details of a bulk action, previews its changes and cost, and orders the job. */
export function BulkDialog({ action, count, onOrdered, onClose, ...props }: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const [lines] = useState(props.lines);
  const [change, setChange] = useState<BulkChange>(firstChanges[action]);
  const { job, isFresh, error, retry } = usePreview(change, lines);
  const effect = useEffectText();
  const order = useStartJob({ isSilent: true });
  const ids = job ? idsToChange(job) : [];
  const isShort = job !== undefined && job.credits_after < 0;
  const canOrder = isFresh && ids.length > 0 && !isShort;
  const isOpenChoice = !isComplete(change);
  const blocked = useOrderBlock({
    isOpenChoice,
    isShort,
    isNothing: isFresh && ids.length === 0,
    action,
  });

  const send = () => {
    if (canOrder) void order.send({ ...change, ids }, { done: onOrdered });
  };
  return (
    <SheetDialog
      title={effect(action, count ?? job?.total ?? null)}
      isBusy={order.isPending}
      onClose={onClose}
      footer={
        <>
          <p>
            {isOpenChoice && blocked}
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
            blocked={blocked}
            onClick={send}
          >
            {effect(action, job && isComplete(change) ? ids.length : null, job?.cost)}
          </Button>
        </>
      }
    >
      <RenewalChoice change={change} onChange={setChange} kinds={job?.kinds ?? null} />
      <PreviewFailed error={order.error ?? error} onRetry={order.error ? send : retry} />
      {job && change.action === 'move' && change.server_id && <AddressChanges job={job} />}
      {job && <PreviewTable action={action} job={job} />}
      {!job && !error && isComplete(change) && <p role="status">{t('preview.loading')}</p>}
      {job && action !== 'delete' && <BalanceSummary job={job} lines={ids.length} />}
      {isFresh && ids.length === 0 && <Banner tone="info" title={t('preview.nothing')} />}
    </SheetDialog>
  );
}

interface OrderBlockProps {
  action: PreviewedAction;
  /** The action's details are not completely chosen. */
  isOpenChoice: boolean;
  isShort: boolean;
  isNothing: boolean;
}

/** The reason why the job cannot be ordered yet; undefined when it can. */
function useOrderBlock({ action, isOpenChoice, isShort, isNothing }: OrderBlockProps) {
  const { t } = useTranslation('bulk');
  const needsConnection = useNeedsConnection();
  if (needsConnection) return needsConnection;
  if (isOpenChoice && action === 'renew') {
    return t('preview.chooseDays', { maximum: MAX_MORE_DAYS });
  }
  if (isOpenChoice) return t(action === 'edit' ? 'preview.chooseEdit' : 'preview.chooseMove');
  if (isShort) return t('preview.adviceCredits');
  return isNothing ? t('preview.nothing') : undefined;
}

/**
 * True for failures worth repeating: no reply, rate limit or server error. The panel would give the
 * same refusal again.
 */
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
