import type { Selectable } from 'kysely';
import type { AuditLogTable } from '../../db/append-only-schema.ts';

const nameFields = ['username', 'server_name', 'email', 'title'] as const;

/** The name that an entry itself gives its subject, which may be gone; null if it gives none. */
export function lastNameOf(
  entry: Pick<Selectable<AuditLogTable>, 'data' | 'before' | 'after'>,
): string | null {
  const data = entry.data as Record<string, unknown>;
  const named = [entry.after, entry.before, data]
    .flatMap((fields) => nameFields.map((field) => fields?.[field]))
    .find((name) => typeof name === 'string' && name !== '');
  return typeof named === 'string' ? named : null;
}
