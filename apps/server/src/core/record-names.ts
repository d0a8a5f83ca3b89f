import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Db } from '../db/transaction.ts';

interface Subject {
  subject_type: string;
  subject_id: string;
}

const named = ['group', 'code', 'package', 'topup', 'contact', 'message', 'ticket', 'cannedreply'];

/** Names of records other than accounts, lines and servers that are still there, by their ids. */
export async function readRecordNames(
  db: Db,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, string>> {
  const asked = subjects.filter(({ subject_type }) => named.includes(subject_type));
  if (asked.length === 0) return new Map();
  const idsOf = (type: string) =>
    asked.filter(({ subject_type }) => subject_type === type).map(({ subject_id }) => subject_id);
  const { rows } = await sql<{ id: string; name: string; number: number | null }>`
    select id, name, null::bigint as number from groups
      where id = any(${idsOf('group')}::text[])
    union all select id::text, code, null from redeem_codes
      where id = any(${idsOf('code')}::uuid[])
    union all select id::text, subject, null from contact_messages
      where id = any(${idsOf('contact')}::uuid[])
    union all select id::text, name, null from credit_packages
      where id = any(${idsOf('package')}::uuid[])
    union all select id::text, title, null from messages
      where id = any(${idsOf('message')}::uuid[])
    union all select id::text, '#' || number || ' ' || title, null from tickets
      where id = any(${idsOf('ticket')}::uuid[])
    union all select id::text, title, null from canned_replies
      where id = any(${idsOf('cannedreply')}::uuid[])
    union all
    select top_ups.id::text, coalesce(nullif(full_name, ''), email), number
      from top_ups join auth_users on auth_users.id = top_ups.account_id
      where top_ups.id = any(${idsOf('topup')}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ id, name, number }) => [
      id,
      number === null ? name : `${topUpNumber(Number(number))} · ${name}`,
    ]),
  );
}
