import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import type { Ctx } from '../context.ts';
import { insertJob, type NewJob } from './insert-job.ts';

/**
 * Stores a job for what is done at once in this transaction, so that what became of each line can be
 * looked at. `work` inserts its rows and returns their number. Null where it has none: no job is kept.
 */
export async function recordDoneJob(
  tx: Tx,
  { actor, address, request_id }: Pick<Ctx, 'actor' | 'address' | 'request_id'>,
  job: Pick<NewJob, 'action' | 'arguments'>,
  work: (jobId: string) => Promise<number>,
): Promise<{ id: string; total: number } | null> {
  const by = { account_id: actor.id, address, request_id };
  const id = await insertJob(tx, { ...job, ...by, state: 'done' }, []);
  const total = await work(id);
  if (total > 0) {
    await tx.updateTable('jobs').set({ total }).where('id', '=', id).execute();
    return { id, total };
  }
  await sql`delete from jobs where id = ${id}`.execute(tx);
  return null;
}
