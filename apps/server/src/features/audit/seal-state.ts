import type * as contract from '@linekeeper/contract/audit.ts';
import type { SealState } from '@linekeeper/contract/audit.ts';
import type { Db } from '../../db/transaction.ts';
import { checkAllSeals } from '../../domain/audit/check-chain.ts';
import { sealedTables } from '../../domain/audit/seal-chain.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';

async function readSealState(db: Db): Promise<SealState> {
  const checks = await db.selectFrom('seal_checks').select(['faults', 'checked_at']).execute();
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  const times = checks.map(({ checked_at }) => checked_at.toISOString()).toSorted();
  const checked_at = checks.length === sealedTables.length ? (times[0] ?? null) : null;
  return { ok: checked_at !== null && faults === 0, faults, checked_at };
}

export const sealState: Action<typeof contract.getSealState> = ({ db }) => readSealState(db);

export const checkSeals: Action<typeof contract.checkSeals> = async (ctx) => {
  await checkAllSeals(ctx);
  return readSealState(ctx.db);
};
