import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActIcon } from '#domain/activity/act-icon.tsx';
import { useActText, useFactTexts, useFieldTexts, useNobodyText } from '#domain/activity/texts.ts';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { changedFields } from './audit-detail.tsx';

interface EntryProps {
  entry: AuditEntry;
}

function useActorName({ actor_id, actor_name, action }: AuditEntry): string {
  const nobodyText = useNobodyText();
  const { t } = useTranslation('activity');
  return actor_name ?? (actor_id ? t('recurring.otherAccount') : nobodyText(action));
}

export function ActorName({ entry }: EntryProps) {
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

export function Actor({ entry }: EntryProps) {
  const name = useActorName(entry);
  return (
    <span className={PICTURED} title={isolate(name)}>
      <Avatar accountId={entry.actor_id} name={name} size={32} />
      <ActorName entry={entry} />
    </span>
  );
}

export function Act({ entry: { action } }: EntryProps) {
  const text = useActText()(action);
  return (
    <span className={PICTURED} title={text}>
      <ActIcon action={action} isBare />
      <span>{text}</span>
    </span>
  );
}

/** The summary of an audit entry: its facts, or else the names of its changed fields, or the device of a sign-in. */
export function Summary({ entry }: EntryProps) {
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
export function useSubjectText(): (subject: AuditEntry['subject_type']) => string {
  const { t } = useTranslation('audit');
  return (subject) => {
    const keys: string[] = [`subjects.${subject}`, `field.${subject}`];
    return t(keys as ['subjects.job']);
  };
}

/** The link to the page of an audit entry's subject; plain text if it has none. */
export function SubjectLink({ entry }: EntryProps) {
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
