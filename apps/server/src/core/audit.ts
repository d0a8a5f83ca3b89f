import type { Db } from '../db/transaction.ts';
import { newId } from './ids.ts';

export interface AuditEntry {
  actor_id: string | null;
  action: string;
  subject_type: 'line' | 'account' | 'server' | 'panel';
  subject_id: string;
  /** Never a secret. */
  data?: Record<string, unknown>;
}

export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return auditAll(db, [entry]);
}

export async function auditAll(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ data = {}, ...entry }) => ({
    id: newId(),
    ...entry,
    data: JSON.stringify(data),
  }));
  await db.insertInto('audit_log').values(rows).execute();
}
