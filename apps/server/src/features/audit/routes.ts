import type { SealState } from '@linekeeper/contract/audit.ts';
import * as contract from '@linekeeper/contract/audit.ts';
import type { Db } from '../../db/transaction.ts';
import { checkAllSeals } from '../../domain/audit/check-chain.ts';
import { sealedTables } from '../../domain/audit/seal-chain.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { auditCsv, listAudit } from './list-audit.ts';

async function readSealState(db: Db): Promise<SealState> {
  const checks = await db.selectFrom('seal_checks').select(['faults', 'checked_at']).execute();
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  const times = checks.map(({ checked_at }) => checked_at.toISOString()).toSorted();
  const checked_at = checks.length === sealedTables.length ? (times[0] ?? null) : null;
  return { ok: checked_at !== null && faults === 0, faults, checked_at };
}

export const auditRoutes = [
  route(contract.listAudit, listAudit),
  route(contract.auditCsv, auditCsv),
  route(contract.getSealState, ({ db }) => readSealState(db)),
  route(
    contract.checkSeals,
    async (ctx) => {
      await checkAllSeals(ctx);
      return readSealState(ctx.db);
    },
    { notAudited: 'it changes nothing; what it found is kept with its time' },
  ),
];
