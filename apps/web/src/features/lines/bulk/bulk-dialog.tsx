import {
  bulkLines,
  type Job,
  type JobItem,
  MAX_MORE_DAYS,
} from '@linekeeper/contract/lines/bulk.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartJob } from '#domain/jobs/queries.ts';
import { AddressChange } from '#domain/lines/address-change.tsx';
import { isShort } from '#domain/prices/is-short.ts';
import { useTerms } from '#domain/prices/prices.ts';
import { SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { ApiError } from '#platform/api/client.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { useMe } from '#platform/data/session.ts';
import { useCodeText, useErrorText } from '#platform/i18n/use-error-text.ts';
import { BalanceSummary } from './balance-summary.tsx';
import {
  type BulkChange,
  firstChanges,
  isComplete,
  isSound,
  type PreviewedAction,
} from './bulk-change.ts';
import { ChangeFields } from './change-fields.tsx';
import { PreviewTable } from './preview-table.tsx';
import type { BulkLines } from './use-bulk-selection.ts';
import { useEffectText } from './use-effect-text.ts';

interface BulkDialogProps {
  action: PreviewedAction;
  lines: BulkLines;
  /** Number of lines; null if the filter matches more lines than are counted. */
  count: number | null;
  /** The term of a renewal that is chosen first; by default the first offered one. */
  months?: number | undefined;
  onOrdered: () => void;
  onClose: () => void;
}

/** Ids of the lines that the preview would change; skipped ones are left out. */
function idsToChange({ items }: Job): string[] {
  return items.flatMap(({ state, line_id }) => (state !== 'skipped' && line_id ? [line_id] : []));
}

/** The dialog of a bulk action. A renewal opens with the terms on sale, and previews one of them immediately. */
export function BulkDialog(props: BulkDialogProps) {
  const terms = useTerms();
  const isRenewal = props.action === 'renew';
  if (isRenewal && !terms) return null;
  return <ChangeDialog {...props} months={props.months ?? (isRenewal ? terms?.[0] : undefined)} />;
}

function ChangeDialog({ action, count, onOrdered, onClose, ...props }: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const [lines, setLines] = useState(props.lines);
  const [isCut, setCut] = useState(false);
  const [change, setChange] = useState<BulkChange>(() => ({
    ...firstChanges[action],
    ...(props.months && { subscription_months: props.months }),
  }));
  const { job, isFresh, error, retry } = usePreview(change, lines);
  const effect = useEffectText();
  const order = useStartJob({ isSilent: true });
  const ids = job ? idsToChange(job) : [];
  const isTooDear = job !== undefined && isShort({ cost: job.cost, balance: job.credits });
  const canOrder = isFresh && ids.length > 0 && !isTooDear;
  const isOpenChoice = !isComplete(change);
  const { is_admin } = useMe();
  const blocked = useOrderBlock({
    isOpenChoice,
    isWrong: change.action === 'edit' && !isSound(change),
    isShort: isTooDear,
    isNothing: isFresh && ids.length === 0,
    change,
  });

  const send = () => {
    if (!canOrder) return;
    const isPaid = change.action === 'renew' || change.action === 'change_plan';
    const body = isPaid && !is_admin ? { ...change, quoted_cost: job?.cost } : change;
    void order.send({ ...body, ids }, { done: onOrdered });
  };
  return (
    <SheetDialog
      title={effect(action, (isCut ? ids.length || null : count) ?? job?.total ?? null)}
      isBusy={order.isPending}
      onClose={onClose}
      footer={
        <>
          <p>
            {isOpenChoice && blocked}
            {job &&
              job.skipped > 0 &&
              t('preview.skipped', {
                count: job.skipped,
              })}
          </p>
          <Button disabled={order.isPending} onClick={onClose}>
            {t('action.cancel')}
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
      <ChangeFields change={change} onChange={setChange} lines={lines} kinds={job?.kinds ?? null} />
      <PreviewFailed error={order.error ?? error} onRetry={order.error ? send : retry} />
      {job && <OfOthers job={job} isPaid={action === 'renew' || action === 'change_plan'} />}
      {job && isReaddressing(change) && <AddressChanges job={job} />}
      {job && <PreviewTable action={action} job={job} />}
      {!job && !error && isComplete(change) && <p role="status">{t('preview.loading')}</p>}
      {job && action !== 'delete' && (
        <BalanceSummary
          job={job}
          lines={ids.length}
          onFirst={(first) => {
            setLines({ ids: first });
            setCut(true);
          }}
        />
      )}
      {isFresh && ids.length === 0 && <Banner tone="info" title={t('preview.nothing')} />}
    </SheetDialog>
  );
}

/** Accounts that are named, at most; of the others only the lines are counted. */
const MOST_NAMED = 3;

/**
 * The owners of the selected lines. Administrators do not need this, because their list shows
 * owners, and most lines there belong to others.
 */
function OfOthers({ job: { of_others }, isPaid }: { job: Job; isPaid: boolean }) {
  const { t, i18n } = useTranslation('bulk');
  const { is_admin } = useMe();
  if (is_admin || of_others.length === 0) return null;
  const named = of_others.slice(0, MOST_NAMED);
  const rest = of_others.slice(MOST_NAMED).reduce((sum, { lines }) => sum + lines, 0);
  const parts = named.map(({ name, lines }) => t('preview.ofAccount', { count: lines, name }));
  if (rest > 0) parts.push(t('preview.ofMore', { count: rest }));
  const accounts = new Intl.ListFormat(i18n.language).format(parts);
  return (
    <Banner
      tone="info"
      title={t(isPaid ? 'preview.othersYouPay' : 'preview.others', { accounts })}
    />
  );
}

/** True if customers may have to change their receiver. */
const isReaddressing = (change: BulkChange) =>
  change.action === 'change_plan' ||
  (change.action === 'move' && change.server_id !== undefined) ||
  (change.action === 'edit' && change.host_port !== undefined);

interface OrderBlockProps {
  change: BulkChange;
  /** True if the choice of the action's details is not complete. */
  isOpenChoice: boolean;
  /** True if an input cannot be stored. */
  isWrong: boolean;
  isShort: boolean;
  isNothing: boolean;
}

/** The reason why the job cannot be ordered yet; undefined when it can. */
function useOrderBlock({ change, isOpenChoice, isWrong, isShort, isNothing }: OrderBlockProps) {
  const { t } = useTranslation('bulk');
  const codeText = useCodeText();
  if (isOpenChoice && change.action === 'renew') {
    return change.days === undefined
      ? codeText('INVALID_SUBSCRIPTION_MONTHS')
      : t('preview.chooseDays', { maximum: MAX_MORE_DAYS });
  }
  if (isWrong) return t('preview.correct');
  if (isOpenChoice && change.action === 'change_plan') return t('plan.choose');
  if (isOpenChoice)
    return t(change.action === 'edit' ? 'preview.chooseEdit' : 'preview.chooseMove');
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

/** Pairs that are shown, at most; of the others only the customers are counted. */
const MOST_SHOWN = 3;

interface Change {
  from: string[];
  to: string[];
  count: number;
}

const linesOf = (fields: JobItem['before']): string[] =>
  Array.isArray(fields?.receivers) ? fields.receivers : [];

const keyOf = ({ from, to }: Pick<Change, 'from' | 'to'>) => JSON.stringify([from, to]);

/** Old and new C and N lines that a move changes, starting with those of most customers. */
function changesOf(items: readonly JobItem[]): Change[] {
  const found = new Map<string, Change>();
  for (const { before, after, state } of items) {
    if (state === 'skipped' || !Array.isArray(before?.receivers)) continue;
    const lines = { from: linesOf(before), to: linesOf(after) };
    const change = found.get(keyOf(lines)) ?? { ...lines, count: 0 };
    change.count += 1;
    found.set(keyOf(lines), change);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** The change that customers of chosen lines must make after a move. */
function AddressChanges({ job }: { job: Job }) {
  const { t } = useTranslation('bulk');
  const changes = changesOf(job.items);
  const rest = changes.slice(MOST_SHOWN).reduce((sum, { count }) => sum + count, 0);
  if (changes.length === 0) return <p role="status">{t('address.nothing')}</p>;
  return (
    <>
      {changes.slice(0, MOST_SHOWN).map((change) => (
        <AddressChange key={keyOf(change)} {...change} />
      ))}
      {rest > 0 && <p>{t('preview.moreAddresses', { count: rest })}</p>}
    </>
  );
}

/** The query of a dry run of a job. It is not cached, because lines and prices may change in the meantime. */
const previewQuery = (change: BulkChange, lines: BulkLines) =>
  callQuery('bulk-preview', bulkLines, {
    body: { ...change, ...lines, preview: true },
    select: ({ job }) => job,
    enabled: isComplete(change),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

interface Preview {
  /** The last reply, kept while the next is loading. */
  job: Job | undefined;
  /** True if `job` is the preview of the current choice; only then may the job be requested. */
  isFresh: boolean;
  error: unknown;
  retry: () => void;
}

function usePreview(change: BulkChange, lines: BulkLines): Preview {
  const asked = useDebounced(change);
  const { data, isPlaceholderData, isFetching, error, refetch } = useQuery(
    previewQuery(asked, lines),
  );
  const isAsked = asked === change && isComplete(change);
  return {
    job: isComplete(change) && !error ? data : undefined,
    isFresh: isAsked && data !== undefined && !isPlaceholderData && !isFetching && !error,
    error: isAsked ? error : null,
    retry: () => void refetch(),
  };
}
