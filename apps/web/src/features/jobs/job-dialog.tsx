import {
  cancelJob,
  type Job,
  type JobItem,
  MAX_BULK_LINES,
} from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleAlert, CircleCheck, CircleMinus, Clock, CloudAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemValues } from '#domain/jobs/item-values.tsx';
import { changedByJobs, isRunning, jobQuery } from '#domain/jobs/queries.ts';
import { inFileOrder, shownItems } from '#domain/jobs/shown-items.ts';
import { useItemReason, useItemTexts } from '#domain/jobs/use-item-texts.ts';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';
import { unwatchJob } from '#domain/jobs/watched-jobs.ts';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { ScrollArea, SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { JobActions } from './job-actions.tsx';
import { useJobAddress } from './use-job-address.ts';

/** Milliseconds for which a result must be shown to count as read. */
const READ_MS = 1000;

function useWasRead(isShown: boolean): boolean {
  const [wasRead, setRead] = useState(false);
  useEffect(() => {
    const timer = isShown ? setTimeout(() => setRead(true), READ_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isShown]);
  return wasRead;
}

export function JobDialog({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const { open, close } = useJobAddress();
  const { data: job, error, refetch } = useQuery(jobQuery(id, 'none'));
  const hasEnded = job !== undefined && !isRunning(job);
  const wasRead = useWasRead(hasEnded);
  const dismiss = () => {
    // The result has been read here, so its card need not appear.
    if (wasRead) unwatchJob(id);
    void close();
  };
  const leave = () => {
    if (hasEnded) unwatchJob(id);
    void close();
  };
  return (
    <SheetDialog
      title={job ? name(job) : t('job')}
      onClose={dismiss}
      footer={
        <>
          {hasEnded && <JobActions job={{ ...job, id }} onFollowed={open} />}
          {job && isRunning(job) && !isWhole(job) && <CancelButton id={id} />}
          <Button onClick={leave}>{t('action.close')}</Button>
        </>
      }
    >
      {error && !job ? (
        <FailedPanel error={error} onRetry={refetch} />
      ) : (
        job && <JobBody job={{ ...job, id }} />
      )}
    </SheetDialog>
  );
}

function JobBody({ job }: { job: Job & { id: string } }) {
  const { t } = useTranslation('bulk');
  const { result, progress } = useJobTexts();
  if (!isRunning(job)) {
    return (
      <>
        <p role="status">
          <b>{result(job)}</b>
        </p>
        <JobFacts job={job} />
        <JobItems job={job} />
      </>
    );
  }
  return (
    <>
      <div>
        <p>{progress(job)}</p>
        <ProgressBar job={job} />
      </div>
      <p>
        {result(job)}. {t('mayLeave')}
      </p>
    </>
  );
}

/** True for the delivery of a changed plan, which cannot stop halfway. */
const isWhole = ({ action, arguments: { undone } }: Job) =>
  action === 'edit_plan' || undone === 'edit_plan';

function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  const cancel = useCommand(cancelJob, { params: { id }, refreshes: changedByJobs });
  return (
    <Button tone="danger" pending={cancel.isPending} onClick={() => void cancel.send()}>
      {t('stop')}
    </Button>
  );
}

function JobFacts({ job }: { job: Job }) {
  const { t } = useTranslation('bulk');
  return (
    <>
      {job.undone_by && <p>{t('facts.undone')}</p>}
      <dl className="flex flex-wrap items-stretch gap-y-1 gap-x-6">
        {job.finished_at && (
          <div className="flex items-stretch gap-2">
            <dt>{t('facts.finished')}</dt>
            <dd className="type-strong">
              <Timestamp value={job.finished_at} />
            </dd>
          </div>
        )}
        {job.cost !== 0 && (
          <div className="flex items-stretch gap-2">
            <dt>{job.cost > 0 ? t('facts.paid') : t('field.refunded')}</dt>
            <dd className="type-strong">{t('credits.amount', { count: Math.abs(job.cost) })}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

const looks = {
  done: { tone: 'success', icon: <CircleCheck /> },
  failed: { tone: 'error', icon: <CircleAlert /> },
  notOnServer: { tone: 'warning', icon: <CloudAlert /> },
  skipped: { tone: 'neutral', icon: <CircleMinus /> },
  waiting: { tone: 'neutral', icon: <Clock /> },
} as const;

function outcomeOf({ state, sync_state }: JobItem): keyof typeof looks {
  return state === 'done' && sync_state === 'failed' ? 'notOnServer' : state;
}

/** The results of the lines; at first only those with problems. */
function JobItems({ job }: { job: Job & { id: string } }) {
  const { t } = useTranslation('bulk');
  const [wantsProblems, setWantsProblems] = useState(true);
  const hasProblems = job.failed + job.not_synced > 0;
  const which = hasProblems && wantsProblems ? 'failed' : 'all';
  const { data, error, refetch } = useQuery(jobQuery(job.id, which));
  return (
    <>
      {hasProblems && (
        <CheckboxField checked={wantsProblems} onChange={setWantsProblems}>
          {t('onlyProblems')}
        </CheckboxField>
      )}
      {error && !data && <FailedPanel error={error} onRetry={refetch} />}
      {data && (
        <ItemTable
          items={data.items}
          // A reply contains the first ten thousand items at most.
          unread={
            which === 'all' && data.items.length >= MAX_BULK_LINES
              ? job.total - data.items.length
              : 0
          }
          isFile={job.action === 'import'}
        />
      )}
    </>
  );
}

interface ItemTableProps {
  items: JobItem[];
  /** Number of items that did not fit into the reply. */
  unread: number;
  isFile: boolean;
}

function ItemTable({ items, unread, isFile }: ItemTableProps) {
  const { t } = useTranslation('bulk');
  const { rows: chosen, more: unshown } = shownItems(items);
  const more = unshown + unread;
  const rows = isFile ? inFileOrder(chosen) : chosen;
  const texts = useItemTexts(rows);
  const place: Column<JobItem> = {
    id: 'row',
    title: t('columns.row'),
    look: 'quiet',
    cell: ({ position }) => position,
  };
  const columns: Column<JobItem>[] = [
    ...(isFile ? [place] : []),
    {
      id: 'username',
      kind: 'name',
      title: t('field.username'),
      cell: ({ line_id, username, sync_state }) =>
        // A deleted line has no state on a server.
        line_id && sync_state ? (
          <LineLink id={line_id} className="link">
            <TypedText>{username}</TypedText>
          </LineLink>
        ) : (
          <TypedText>{username}</TypedText>
        ),
    },
    { id: 'result', title: t('field.result'), cell: (item) => <Outcome item={item} /> },
    {
      id: 'change',
      title: t('field.change'),
      look: 'quiet',
      cell: (item) => (
        <>
          {item.state === 'done' && <Change from={texts.before(item)} to={texts.after(item)} />}
          <Reason item={item} />
        </>
      ),
    },
  ];
  return (
    <ScrollArea label={t('nav.lines')}>
      <SmallTable
        isStacked
        columns={columns}
        rows={rows}
        rowId={({ position }) => position}
        more={more > 0 && t('more', { count: more })}
      />
    </ScrollArea>
  );
}

function Change({ from, to }: { from: string[]; to: string[] }) {
  return (
    <span className="inline-flex items-center flex-wrap gap-y-0 gap-x-2 [&>:empty]:hidden">
      <span>
        <ItemValues values={from} />
      </span>
      {from.length > 0 && to.length > 0 && <ArrowRight size={14} />}
      <span>
        <ItemValues values={to} />
      </span>
    </span>
  );
}

function Outcome({ item }: { item: JobItem }) {
  const { t } = useTranslation('bulk');
  const outcome = outcomeOf(item);
  const { tone, icon } = looks[outcome];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state.${outcome}`)}
    </Badge>
  );
}

function Reason({ item }: { item: JobItem }) {
  const reason = useItemReason()(item);
  return reason ? <p>{reason}</p> : null;
}

function ProgressBar({ job }: { job: Job }) {
  const { name, progress } = useJobTexts();
  return (
    <progress
      className="h-2 mt-3 [&::-webkit-progress-value]:[transition:inline-size_0.3s]"
      aria-label={name(job)}
      aria-valuetext={progress(job)}
      max={Math.max(job.total, 1)}
      value={job.done + job.failed + job.skipped}
    />
  );
}
