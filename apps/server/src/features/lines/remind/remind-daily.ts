import type { Day } from '@linekeeper/contract/dates.ts';
import type { Db } from '../../../db/transaction.ts';
import { isDoneOn, markDoneOn } from '../../../platform/jobs/done-today.ts';
import { readSettings } from '../../../platform/settings.ts';
import { remindOfExpiry } from './remind-of-expiry.ts';

export const REMIND = 'remind';

/**
 * Reminds once a day: as soon as the hour of the settings has come, or whenever the panel runs again
 * on that day. A day counts as done only when all owners were told; whom an interrupted run has told is
 * passed over by the next. Returns the number of digests.
 */
export async function remindDaily(
  db: Db,
  now: { day: Day; hour: number },
  isStopping = () => false,
): Promise<number> {
  const { reminder_hour } = await readSettings(db);
  if (now.hour < reminder_hour) return 0;
  if (await isDoneOn(db, REMIND, now.day)) return 0;
  const told = await remindOfExpiry(db, now.day, isStopping);
  if (isStopping()) return told;
  await markDoneOn(db, REMIND, now.day);
  return told;
}
