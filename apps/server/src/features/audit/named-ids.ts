import type { Selectable } from 'kysely';
import type { AuditLogTable } from '../../db/schema/append-only-schema.ts';

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

/** Articles that fields of these entries name, as subjects whose names can be read. */
export function articlesNamedBy(entries: readonly Entry[]) {
  return idsIn(entries, articleFields).map((subject_id) => ({
    subject_type: 'article',
    subject_id,
  }));
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
