import { sql } from 'kysely';
import { momentText, type SealedTable } from './seal-chain.ts';

export const ledger: SealedTable = {
  rows: 'credit transfers',
  table: 'credit_transfers',
  seals: 'credit_seals',
  count: 'transfers',
  sealed: 'credit_sealed',
  row_id: 'transfer_id',
  digest: sql<Buffer>`sha256(convert_to(json_build_array(
    t.id, t.kind, t.from_id, t.to_id, t.amount, t.actor_id, t.note, t.line_id, t.username,
    t.refund_of, ${momentText(sql`t.created_at`)})::text, 'UTF8'))`,
  sign: (secrets, content) => secrets.sealLedger(content),
};

export const auditLog: SealedTable = {
  rows: 'audit log’s entries',
  table: 'audit_log',
  seals: 'audit_seals',
  count: 'entries',
  sealed: 'audit_sealed',
  row_id: 'entry_id',
  digest: sql<Buffer>`sha256(convert_to(json_build_array(
    t.id, t.actor_id, t.action, t.subject_type, t.subject_id, t.data, t.before, t.after, t.address,
    t.request_id, ${momentText(sql`t.created_at`)})::text, 'UTF8'))`,
  sign: (secrets, content) => secrets.sealAudit(content),
};

/** All tables whose rows are sealed. */
export const sealedTables: readonly SealedTable[] = [ledger, auditLog];
