import { type Selectable, sql } from 'kysely';
import type { AuditLogTable } from '../../db/schema/append-only-schema.ts';
import type { Db } from '../../db/transaction.ts';

type Entry = Pick<Selectable<AuditLogTable>, 'before' | 'after' | 'data'>;

const accountFields = ['account_id', 'assigned_to', 'owner_id', 'recipient_id', 'user_id'];
const serverFields = ['server_id', 'to_server_id'];
const articleFields = ['translation_of'];

function idsIn(entries: readonly Entry[], fields: readonly string[]): string[] {
  const held = entries.flatMap(({ before, after, data }) => [before, after, data]);
  const values = held.flatMap((state) =>
    fields.map((field) => (state as Record<string, unknown> | null)?.[field]),
  );
  return values.filter((value): value is string => typeof value === 'string');
}

/** Ids of accounts and servers that fields of these entries name. */
export function idsNamedBy(entries: readonly Entry[]) {
  return { accounts: idsIn(entries, accountFields), servers: idsIn(entries, serverFields) };
}

/** Titles of articles that fields of these entries name by their ids. */
export async function readArticleTitles(
  db: Db,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = idsIn(entries, articleFields);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from articles where id::text = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** By id, what the fields of one entry name and what is still there. */
export function namesFor(
  entry: Entry,
  nameOf: (id: string) => string | undefined,
): Record<string, string> {
  const ids = idsIn([entry], [...accountFields, ...serverFields, ...articleFields]);
  const named = ids.map((id) => [id, nameOf(id)] as const);
  return Object.fromEntries(
    named.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
