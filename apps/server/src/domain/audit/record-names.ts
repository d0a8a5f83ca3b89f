import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

interface Subject {
  subject_type: string;
  subject_id: string;
}

interface NamedRecord {
  name: string;
  exists: boolean;
}
export type RecordNames = ReadonlyMap<string, NamedRecord>;

const named = [
  'group',
  'code',
  'package',
  'topup',
  'contact',
  'article',
  'message',
  'ticket',
  'cannedreply',
];

/**
 * Names of records other than accounts, lines and servers, by their ids. Of those that are gone only
 * codes are named, as the entry of their deletion has it: earlier ones must not hold what could still
 * be redeemed.
 */
export async function readRecordNames(db: Db, subjects: readonly Subject[]): Promise<RecordNames> {
  const asked = subjects.filter(({ subject_type }) => named.includes(subject_type));
  if (asked.length === 0) return new Map();
  const idsOf = (type: string) =>
    asked.filter(({ subject_type }) => subject_type === type).map(({ subject_id }) => subject_id);
  const { rows } = await sql<NamedRecord & { id: string; number: number | null }>`
    select id, name, null::bigint as number, true as exists from groups
      where id = any(${idsOf('group')}::text[])
    union all select id::text, code, null, true from redeem_codes
      where id = any(${idsOf('code')}::uuid[])
    union all select subject_id, data ->> 'code', null, false from audit_log
      where subject_type = 'code' and subject_id = any(${idsOf('code')}::text[])
        and action = 'code.delete' and data ? 'code'
    union all select id::text, title, null, true from articles
      where id = any(${idsOf('article')}::uuid[])
    union all select id::text, subject, null, true from contact_messages
      where id = any(${idsOf('contact')}::uuid[])
    union all select id::text, name, null, true from credit_packages
      where id = any(${idsOf('package')}::uuid[])
    union all select id::text, title, null, true from messages
      where id = any(${idsOf('message')}::uuid[])
    union all select id::text, '#' || number || ' ' || title, null, true from tickets
      where id = any(${idsOf('ticket')}::uuid[])
    union all select id::text, title, null, true from canned_replies
      where id = any(${idsOf('cannedreply')}::uuid[])
    union all
    select top_ups.id::text, coalesce(nullif(full_name, ''), email), number, true
      from top_ups join auth_users on auth_users.id = top_ups.account_id
      where top_ups.id = any(${idsOf('topup')}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ id, name, number, exists }) => [
      id,
      { name: number === null ? name : `${topUpNumber(Number(number))} · ${name}`, exists },
    ]),
  );
}
