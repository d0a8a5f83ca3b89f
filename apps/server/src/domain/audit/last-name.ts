import type { Selectable } from 'kysely';
import type { AuditLogTable } from '../../db/schema/append-only-schema.ts';

const nameFields = ['server_name', 'username', 'email', 'title', 'package_name', 'name'] as const;

/** The name that an entry itself gives its subject, which may be gone; null if it gives none. */
export function lastNameOf(
  entry: Pick<Selectable<AuditLogTable>, 'data' | 'before' | 'after'>,
): string | null {
  const data = entry.data as Record<string, unknown>;
  const named = nameFields
    .flatMap((field) => [entry.after, entry.before, data].map((fields) => fields?.[field]))
    .find((name) => typeof name === 'string' && name !== '');
  return typeof named === 'string' ? named : null;
}
