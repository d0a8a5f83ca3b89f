import { reuseSpace } from '../../db/reuse-space.ts';
import type { Services } from '../context/context.ts';
import { panelOrigin, writeAudit } from './audit.ts';
import { cutRows } from './cut-chain.ts';
import { BrokenSeal } from './seal-chain.ts';
import { auditLog } from './sealed-tables.ts';

type CleanUpServices = Pick<Services, 'config' | 'connection' | 'db' | 'secrets' | 'log'>;

/**
 * Takes away entries of the audit log that are older than AUDIT_KEEP_DAYS, and says so in the log.
 * Where its seals do not hold nothing is taken away.
 */
export async function cleanUpAudit(
  { config, connection, db, secrets, log }: CleanUpServices,
  isStopping = () => false,
): Promise<void> {
  const { audit_keep_days } = config;
  if (audit_keep_days === null) return;
  const before = await readEntries(db);
  const cut = await cutRows(db, auditLog, secrets, audit_keep_days, isStopping).catch(
    (error: unknown) => {
      if (!(error instanceof BrokenSeal)) throw error;
      log.error({ err: error }, 'the audit log was not shortened, because its seals do not hold');
      return null;
    },
  );
  if (cut === null) return;
  const removed = cut.entries - before;
  log.info({ removed, number: cut.number, seal: cut.seal }, 'the audit log was shortened');
  await writeAudit(db, panelOrigin, [
    {
      action: 'panel.audit_shortened',
      subject_type: 'panel',
      subject_id: 'database',
      data: { removed_entries: removed, removed_until: cut.sealed_until },
    },
  ]);
  await reuseSpace(connection, ['audit_log', 'audit_sealed', 'audit_seals']);
}

async function readEntries(db: Services['db']): Promise<number> {
  const cut = await db
    .selectFrom('seal_cuts')
    .select('entries')
    .where('table_name', '=', auditLog.table)
    .executeTakeFirst();
  return cut?.entries ?? 0;
}
