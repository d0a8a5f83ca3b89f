import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Activity, ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ActivityItem, groupActivity } from '#domain/activity/activity-items.ts';
import { activityQuery } from '#domain/activity/queries.ts';
import { jobsQuery } from '#domain/jobs/queries.ts';
import { UndoButton } from '#domain/jobs/undo-button.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatTime } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { useDeedTexts } from './use-deed-texts.ts';

const ROWS_AT_FIRST = 20;

/** The history of a line, newest first: acts of people, with the panel's deliveries between them folded. */
export function History({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const activity = useInfiniteQuery(activityQuery({ line: line.id }));
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  const { data, error, hasNextPage } = activity;
  if (!data) {
    return error ? <FailedPanel error={error} onRetry={() => void activity.refetch()} /> : null;
  }
  const rows = historyRows(data.pages.flatMap(({ items }) => items));
  const isMore = rows.length > shown || hasNextPage;
  const showMore = () => {
    if (rows.length < shown + ROWS_AT_FIRST && hasNextPage) void activity.fetchNextPage();
    setShown(shown + ROWS_AT_FIRST);
  };
  return (
    <>
      <ol className="[&>li]:py-2 [&>li]:px-0">
        {rows.slice(0, shown).map((row) => (
          <HistoryEntry key={row.id} row={row} line={line} />
        ))}
      </ol>
      {rows.length === 0 && <p className="text-text-2">{t('history.none')}</p>}
      {isMore && (
        <Button variant="soft" fullWidth pending={activity.isFetchingNextPage} onClick={showMore}>
          {t('recurring.more')}
        </Button>
      )}
    </>
  );
}

function HistoryEntry({ row, line }: { row: HistoryRow; line: Line }) {
  return row.kind === 'deed' ? (
    <Deed deed={row.deed} line={line} />
  ) : (
    <Machinery deliveries={row.deliveries} />
  );
}

function Deed({ deed, line }: { deed: ActivityItem; line: Line }) {
  const { t } = useTranslation('line');
  const { who, sentence, details } = useDeedTexts(deed);
  return (
    <li className="flex items-start gap-3">
      <Avatar accountId={deed.actor?.id ?? null} name={who} size={32} />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <p>
          <BoldText>{sentence}</BoldText>
        </p>
        <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
          {details && `${details} · `}
          <Moment value={deed.created_at} today={(time) => t('history.today', { time })} />
        </p>
      </div>
      {deed.action in undoneJobs && <UndoOf deed={deed} line={line} />}
    </li>
  );
}

/** Milliseconds within which a job is stored after the act that caused it. */
const SAME_DEED_MS = 2000;

/** For each entry of the history that can be undone, the action of the job that made it. */
const undoneJobs: Record<string, Job['action']> = { 'line.create': 'sell', 'line.renew': 'renew' };

/** The button that undoes a sale or renewal of the account for an hour, as in the bell. */
function UndoOf({ deed, line }: { deed: ActivityItem; line: Line }) {
  const { id } = useMe();
  const isOwn = deed.actor?.id === id;
  const { data: jobs = [] } = useQuery({ ...jobsQuery(), enabled: isOwn });
  const at = Date.parse(deed.created_at);
  const job = jobs.find(
    ({ can_undo, action, line_id, created_at }) =>
      can_undo &&
      action === undoneJobs[deed.action] &&
      line_id === line.id &&
      Math.abs(Date.parse(created_at ?? '') - at) < SAME_DEED_MS,
  );
  if (!isOwn || !job?.id) return null;
  return <UndoButton job={{ ...job, id: job.id }} />;
}

interface MomentProps {
  value: string;
  today: (time: string) => string;
}

/** The time of a moment, with the date unless it is today. */
function Moment({ value, today }: MomentProps) {
  const { i18n } = useTranslation();
  const isToday = new Date(value).toDateString() === new Date().toDateString();
  if (!isToday) return <Timestamp value={value} />;
  return <time dateTime={value}>{today(formatTime(Date.parse(value), i18n.language))}</time>;
}

function Machinery({ deliveries }: { deliveries: readonly ActivityItem[] }) {
  const { t } = useTranslation('line');
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const failed = deliveries.filter(({ push }) => push && !push.ok).length;
  const text = [
    t('history.machinery', { count: deliveries.length }),
    failed > 0 ? t('history.failed', { count: failed }) : t('history.allTaken'),
  ].join(', ');
  return (
    <li>
      <div className="flex items-center gap-3 text-text-2">
        <span
          className="grid flex-none place-items-center w-8 h-8 rounded-control bg-head"
          aria-hidden="true"
        >
          <Activity size={18} />
        </span>
        <p className="flex-1 min-w-0">{text}</p>
        <IconButton
          size="small"
          label={`${t('recurring.show')}: ${text}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown size={18} className={isOpen ? '[rotate:180deg]' : ''} />
        </IconButton>
      </div>
      <ul id={id} className="grid grid-cols-1 gap-2 mt-2 ps-11 [&[hidden]]:hidden" hidden={!isOpen}>
        {isOpen &&
          deliveries.map((delivery) => (
            <li key={delivery.id}>
              <Delivery delivery={delivery} />
            </li>
          ))}
      </ul>
    </li>
  );
}

const MS_PER_TENTH = 100;

function Delivery({ delivery: { push, created_at } }: { delivery: ActivityItem }): ReactNode {
  const { t } = useTranslation('line');
  const findingText = useFindingText();
  if (!push) return null;
  const server = isolate(push.server_name ?? t('history.deletedServer'));
  const seconds = Math.round(push.took_ms / MS_PER_TENTH) / 10;
  return (
    <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
      {push.ok ? t('history.delivery', { server, seconds }) : findingText(push.finding)} ·{' '}
      <Timestamp value={created_at} />
    </p>
  );
}

/** A row of the history: an act of a person, or the deliveries between two such acts. */
type HistoryRow =
  | { kind: 'deed'; id: string; deed: ActivityItem }
  | { kind: 'machinery'; id: string; deliveries: ActivityItem[] };

/**
 * The history of a line as rows, newest first; deliveries of the panel between two acts are one
 * row, which is never the first.
 */
function historyRows(entries: readonly ActivityEntry[]): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const item of groupActivity(entries)) {
    const last = rows.at(-1);
    if (item.source !== 'push') rows.push({ kind: 'deed', id: item.id, deed: item });
    else if (last?.kind === 'machinery') last.deliveries.push(item);
    else rows.push({ kind: 'machinery', id: item.id, deliveries: [item] });
  }
  const [first, deed, ...others] = rows;
  return first?.kind === 'machinery' && deed ? [deed, first, ...others] : rows;
}
