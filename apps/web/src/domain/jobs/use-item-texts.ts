import { formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import { bulkEditFields, type JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { useMe } from '#platform/data/session.ts';
import { typedPrice } from '#platform/format/money.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { isKnownCode, useCodeText } from '#platform/i18n/use-error-text.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { useStatusText } from '#platform/i18n/use-status-text.ts';

/** Fields that are shown with their names, because their values alone would not be clear. */
const described = bulkEditFields.filter((field) => field !== 'notes');

type Fields = JobItem['before'];

const text = (value: unknown) => (typeof value === 'string' ? value : '');

function shownDay(given: string): string {
  const parsed = parseDay(given);
  return parsed ? formatDay(parsed) : given;
}

function labelsOf(status: unknown): string[] {
  if (typeof status === 'string') return [status];
  return Array.isArray(status)
    ? status.map((item) => text((item as { label?: unknown }).label))
    : [];
}

export function useItemTexts(items: readonly JobItem[] = []) {
  const { t } = useTranslation('bulk');
  const statusText = useStatusText();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const planName = usePlanName();
  const hasPlans = useHasPlans();
  const { is_admin } = useMe();
  const owners = useOwnerEmails(items);
  const serverName = (id: string) => servers.find((server) => server.id === id)?.server_name ?? '';
  const day = (fields: Fields) => shownDay(text(fields?.expiry_date));
  const shown = (value: unknown) => {
    if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
    return typeof value === 'number' ? String(value) : shownDay(text(value));
  };
  const describe = (fields: NonNullable<Fields>, field: (typeof described)[number]) => {
    if (!(field in fields)) return '';
    const value = [fields[field]]
      .flat()
      .filter((part) => part !== 'Info')
      .map((part) => (field === 'price_minor' && part ? typedPrice(Number(part)) : shown(part)))
      .join(', ');
    return t('described', { label: t(`field.${field}`), value: value || t('none') });
  };
  const words = (fields: Fields, owner?: string | null): string[] => {
    if (!fields) return [];
    const parts = [
      day(fields),
      labelsOf(fields.status).map(statusText).join(', '),
      'notes' in fields ? text(fields.notes) || t('noNotes') : '',
      hasPlans && planName(text(fields.plan_id)),
      serverName(text(fields.server_id)),
      owner,
      ...described.map((field) => describe(fields, field)),
    ];
    return parts.filter((part): part is string => Boolean(part));
  };
  return {
    day,
    before: (item: JobItem) => words(item.before, owners.get(text(item.before?.owner_id))),
    after: (item: JobItem) => words(item.after, is_admin ? item.owner_email : null),
  };
}

/** Owners that are looked up, at most, because each unknown owner needs a request; further owners stay unnamed. */
const MOST_OWNERS = 30;

/** Emails of the owners before a job, by id; only administrators see other owners. */
function useOwnerEmails(items: readonly JobItem[]): ReadonlyMap<string, string> {
  const { is_admin } = useMe();
  const ids = items.map(({ before }) => before?.owner_id);
  const distinct = [...new Set(ids)].filter((id) => typeof id === 'string').slice(0, MOST_OWNERS);
  return useQueries({
    queries: (is_admin ? distinct : []).map((id) => accountQuery(id)),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ? [[data.id, data.email]] : []))),
  });
}

/** Translates why a line was skipped, failed or is not on its server; '' if there is no reason. */
export function useItemReason(): (item: JobItem) => string {
  const codeText = useCodeText();
  const findingText = useFindingText();
  return ({ error, sync_state, sync_finding }) => {
    if (!error) return sync_state === 'failed' ? findingText(sync_finding) : '';
    return isKnownCode(error.code) ? codeText(error.code, error.data) : isolate(error.message);
  };
}
