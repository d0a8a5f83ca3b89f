import type { JobItem } from '@linekeeper/contract/bulk.ts';
import { parseDay, showDay } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '../server-choices.ts';
import { useOwnerEmails } from './use-owner-emails.ts';

type Fields = JobItem['before'];

const text = (value: unknown) => (typeof value === 'string' ? value : '');

function labelsOf(status: unknown): string[] {
  if (typeof status === 'string') return [status];
  return Array.isArray(status)
    ? status.map((item) => text((item as { label?: unknown }).label))
    : [];
}

/** What a job changes of a line, as it was and as it became, in words. */
export function useItemTexts(items: readonly JobItem[] = []) {
  const { t, i18n } = useTranslation('bulk');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const owners = useOwnerEmails(items);
  const statusText = (label: string) => {
    const key = `status.${label.toLowerCase()}`;
    return i18n.exists(key, { ns: 'bulk' }) ? t(key as 'status.active') : label;
  };
  const serverName = (id: string) => servers.find((server) => server.id === id)?.server_name ?? '';
  const day = (fields: Fields) => {
    const given = text(fields?.expiry_date);
    return given && parseDay(given) ? showDay(parseDay(given) ?? '') : given;
  };
  const words = (fields: Fields): string[] => {
    if (!fields) return [];
    const parts = [
      day(fields),
      labelsOf(fields.status).map(statusText).join(', '),
      'notes' in fields ? text(fields.notes) || t('noNotes') : '',
      serverName(text(fields.server_id)),
      owners.get(text(fields.owner_id)),
    ];
    return parts.filter((part): part is string => Boolean(part));
  };
  return {
    day,
    before: (item: JobItem) => words(item.before),
    after: (item: JobItem) => words(item.after),
  };
}
