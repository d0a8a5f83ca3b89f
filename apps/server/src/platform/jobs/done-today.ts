import type { Day } from '@linekeeper/contract/dates.ts';
import type { Db } from '../../db/transaction.ts';

/** True if a daily job was done on that day. */
export async function isDoneOn(db: Db, name: string, day: Day): Promise<boolean> {
  const done = await db
    .selectFrom('schedules')
    .select('name')
    .where('name', '=', name)
    .where('done_on', '=', day)
    .executeTakeFirst();
  return done !== undefined;
}

export async function markDoneOn(db: Db, name: string, day: Day): Promise<void> {
  await db.updateTable('schedules').set({ done_on: day }).where('name', '=', name).execute();
}
