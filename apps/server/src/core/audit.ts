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

export async function audit(db: Db, { data = {}, ...entry }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ id: newId(), ...entry, data: JSON.stringify(data) })
    .execute();
}
