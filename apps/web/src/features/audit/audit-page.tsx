import {
  type AuditEntry,
  auditCsv,
  checkSeals,
  getSealState,
  listAudit,
  type SealState,
} from '@linekeeper/contract/audit.ts';
import { auditActions } from '@linekeeper/contract/lists/audit-actions.ts';
import { auditSubjects } from '@linekeeper/contract/lists/audit-subjects.ts';
import { auditList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { ActIcon } from '#domain/activity/act-icon.tsx';
import { useActText, useFactTexts, useFieldTexts, useNobodyText } from '#domain/activity/texts.ts';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { dayFilterLook } from '#kit/list/filters/day-filter-look.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { RowCard } from '#kit/list/table/cards.tsx';
import type { CardProps } from '#kit/list/table/responsive-table.tsx';
import { offering, useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge, type BadgeTone } from '#kit/ui/badge.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { formatDate, formatMoment, formatTime } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { AuditDetail, changedFields } from './audit-detail.tsx';

const sealsQuery = () => callQuery('audit', getSealState);

/** The time of a moment, with the date unless it is today. */
function shortMoment(moment: string, language: string): string {
  const isToday = formatDate(moment, language) === formatDate(new Date().toISOString(), language);
  return isToday ? formatTime(Date.parse(moment), language) : formatMoment(moment, language);
}

function useSealText({ faults, checked_at }: SealState): { tone: BadgeTone; text: string } {
  const { t, i18n } = useTranslation('audit');
  if (checked_at === null) return { tone: 'neutral', text: t('seals.never') };
  if (faults > 0) return { tone: 'error', text: t('seals.broken', { count: faults }) };
  return {
    tone: 'success',
    text: t('seals.hold', { time: shortMoment(checked_at, i18n.language) }),
  };
}

/**
 * The result of the daily check of the seals. A check reads the whole log, so it is repeated only on
 * request.
 */
function SealsBadge() {
  const { data } = useQuery(sealsQuery());
  return data ? <KnownSeals state={data} /> : null;
}

function KnownSeals({ state }: { state: SealState }) {
  const { t } = useTranslation('audit');
  const client = useQueryClient();
  const { tone, text } = useSealText(state);
  const { send, isPending } = useCommand(checkSeals, {
    isRepeatable: true,
    done: (found) => client.setQueryData(sealsQuery().queryKey, found),
  });
  const Icon = tone === 'error' ? LockKeyholeOpen : LockKeyhole;
  return (
    <button
      type="button"
      className="inline-flex items-center min-h-8 max-w-full rounded-badge phone:min-h-11"
      title={t('seals.check')}
      aria-busy={isPending}
      onClick={() => void send()}
    >
      <Badge tone={isPending ? 'info' : tone} icon={<Icon />}>
        <span aria-live="polite">{isPending ? t('seals.checking') : text}</span>
      </Badge>
    </button>
  );
}

export function AuditPage() {
  const { t, i18n } = useTranslation('audit');
  const actText = useActText();
  const label = ({ created_at, action }: AuditEntry) =>
    `${t('open', { time: formatMoment(created_at, i18n.language) })}, ${actText(action)}`;
  return (
    // The first administrator's own account is the first entry, so there is no first use.
    <ListPage
      list={audit}
      badges={<SealsBadge />}
      actions={<DownloadButton csv={auditCsv} />}
      columns={columns}
      Card={AuditCard}
      detail={{ label, Content: AuditDetail }}
    />
  );
}

const columns: ListColumn<AuditEntry>[] = [
  column.moment('when', ({ created_at }) => created_at, { kind: 'name', sortBy: 'created_at' }),
  column.person('who', (entry) => <Actor entry={entry} />),
  column.summary('what', (entry) => <Act entry={entry} />, { look: 'strong' }),
  column.text('about', (entry) => <SubjectLink entry={entry} />),
  column.summary('details', (entry) => <Summary entry={entry} />, { look: 'quiet' }),
];

/** An entry in the list of a phone: act and time, and below them actor and subject. */
function AuditCard({ row: entry, opener, detail }: CardProps<AuditEntry>) {
  const { actor_id, subject_id } = entry;
  return (
    <RowCard
      name={<Act entry={entry} />}
      badge={
        <span className="text-text-2 type-caption">
          <Timestamp value={entry.created_at} />
        </span>
      }
      actions={null}
    >
      <div className="flex items-center justify-between gap-2 [&>p_*]:inline [&>button]:-mt-2 [&>button]:-mr-3 [&>button]:-mb-2 [&>button]:ml-0 [&>p>:not(:first-child)]:before:content-['\a0·_']">
        <p className="text-text-2 min-w-0 wrap-anywhere">
          {/* An account that changed itself is named once. */}
          {actor_id !== subject_id && <ActorName entry={entry} />}
          <SubjectLink entry={entry} />
          <Summary entry={entry} />
        </p>
        {opener}
      </div>
      {detail}
    </RowCard>
  );
}

const REFETCH_MS = 30_000;

function useFilters() {
  const { t } = useTranslation('audit');
  const actText = useActText();
  const actions = auditActions.map((value) => ({ value, label: actText(value) }));
  const subjectText = useSubjectText();
  const subjects = auditSubjects.map((value) => ({ value, label: subjectText(value) }));
  return {
    actor: useAccountFilter('actor', t('columns.who')),
    action: { ...offering(t('field.action'), actions), isLong: true },
    about: { ...offering(t('columns.about'), subjects), isLong: true },
    from: dayFilterLook(t('field.from')),
    to: dayFilterLook(t('field.to')),
  };
}

export const audit = defineList(auditList, {
  path: '/audit',
  queryKey: ['audit', 'list'],
  endpoint: listAudit,
  texts: 'audit',
  useFilters,
  refetchMs: REFETCH_MS,
});

interface EntryProps {
  entry: AuditEntry;
}

function useActorName({ actor_id, actor_name, action }: AuditEntry): string {
  const nobodyText = useNobodyText();
  const { t } = useTranslation('activity');
  return actor_name ?? (actor_id ? t('recurring.otherAccount') : nobodyText(action));
}

function ActorName({ entry }: EntryProps) {
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <span>
      <Highlight text={useActorName(entry)} part={q} />
    </span>
  );
}

/** The look of a name or act with a picture before it. */
const PICTURED =
  'flex items-center gap-2 min-w-0 [&>:last-child]:overflow-hidden [&>:last-child]:text-ellipsis [[data-density=compact]_&>[data-initials]]:hidden';

function Actor({ entry }: EntryProps) {
  const name = useActorName(entry);
  return (
    <span className={PICTURED} title={isolate(name)}>
      <Avatar accountId={entry.actor_id} name={name} size={32} />
      <ActorName entry={entry} />
    </span>
  );
}

function Act({ entry: { action } }: EntryProps) {
  const text = useActText()(action);
  return (
    <span className={PICTURED} title={text}>
      <ActIcon action={action} isBare />
      <span>{text}</span>
    </span>
  );
}

/** The summary of an audit entry: its facts, or else the names of its changed fields, or the device of a sign-in. */
function Summary({ entry }: EntryProps) {
  const { t } = useTranslation();
  const { name } = useFieldTexts();
  const { before, after, data } = entry;
  const facts = useFactTexts()(entry.facts, entry.action).join(' · ');
  const changed = changedFields(entry)
    // Created and deleted rows are left out, because every field differs.
    .filter(({ isSecret }) => isSecret || (before && after))
    .map(({ field }) => name(field))
    .join(', ');
  const { browser, system } = data;
  const isDevice = typeof browser === 'string' && typeof system === 'string';
  const text = facts || changed || (isDevice && t('device', { browser, system }));
  if (!text) return null;
  return (
    <span className="block overflow-hidden text-ellipsis" title={isolate(text)}>
      {text}
    </span>
  );
}

/** Returns the name of a type of subject; the name of the equal field if there is one. */
function useSubjectText(): (subject: AuditEntry['subject_type']) => string {
  const { t } = useTranslation('audit');
  return (subject) => {
    const keys: string[] = [`subjects.${subject}`, `field.${subject}`];
    return t(keys as ['subjects.job']);
  };
}

/** The link to the page of an audit entry's subject; plain text if it has none. */
function SubjectLink({ entry }: EntryProps) {
  const subjectText = useSubjectText();
  const q = useListSearch().search.q?.trim() ?? '';
  const { subject_type, subject_id, subject_name, subject_exists } = entry;
  const text = subject_name ?? subjectText(subject_type);
  const name = (
    <span className="block overflow-hidden text-ellipsis" title={isolate(text)}>
      <Highlight text={text} part={q} />
    </span>
  );
  if (!subject_exists) return name;
  const params = { id: subject_id };
  const link = { className: 'link', children: name };
  switch (subject_type) {
    case 'line':
      return <LineLink id={subject_id} {...link} />;
    case 'server':
      return <Link to="/cccam-servers/$id" params={params} {...link} />;
    case 'ticket':
      return <Link to="/tickets/$id" params={params} {...link} />;
    case 'article':
      return <Link to="/support/knowledge-base/$id" params={params} {...link} />;
    case 'group':
      return <Link to="/manage-groups" {...link} />;
    case 'code':
      return <Link to="/redeem-codes" search={{ q: text }} {...link} />;
    case 'account':
      return <Link to="/accounts/$id" params={params} {...link} />;
    default:
      return name;
  }
}
