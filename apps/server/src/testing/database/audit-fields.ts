import { auditFields } from '@linekeeper/contract/testing/audit-fields.ts';
import { sql } from 'kysely';
import type { TestPanel } from '../panel.ts';

const known = new Set<string>(auditFields);

/** Fields of all entries so far that the contract does not name, so that nobody has a word for them. */
export async function unknownAuditFields({ services: { db } }: TestPanel): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(part) as name
    from audit_log, unnest(array[before, after, data]) as part
    where jsonb_typeof(part) = 'object'`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !known.has(name));
}
