import type { Tx } from '../../db/transaction.ts';
import type { SignedIn } from '../access.ts';
import { countInDay, jobRowsLimit, jobsLimit } from '../accounts/daily-limits.ts';

/** Counts a job and its rows. Throws DAILY_LIMIT_REACHED. */
export async function countJob(tx: Tx, actor: SignedIn, rows: number): Promise<void> {
  await countInDay(tx, actor, jobsLimit, 1);
  await countInDay(tx, actor, jobRowsLimit, rows);
}
