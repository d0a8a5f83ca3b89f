import type { Day } from '@linekeeper/contract/dates.ts';
import { defaultPreferences, MAX_REMINDER_DAY } from '@linekeeper/contract/lists/preferences.ts';
import { type SqlBool, sql } from 'kysely';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { notify } from '../../../domain/notices/notify.ts';

const OWNERS_AT_ONCE = 500;
/** Lines that a digest names; the others are counted. */
const NAMED = 10;

const byDefault = JSON.stringify(defaultPreferences.reminder_days);

/** SQL condition: the owner was not reminded today, nor by a panel whose day began a moment earlier. */
const isUntold = (today: Day) => sql<SqlBool>`(reminded_owners.reminded_on is null
  or reminded_owners.reminded_on < ${today}::date)`;

/**
 * The lines of owners who are due for a reminder today. A line comes due on each of its owner's reminder days, and is
 * in the next digest, even if that is late. A line that was sold or got an earlier date after the digest of a day is in
 * the next one. Trials, which are too short, and suspended lines are left out. Other labels have no effect, because
 * such a line works and expires like any other.
 */
function linesDue(db: Db, today: Day) {
  const daysBefore = sql`case jsonb_typeof(settings.value -> 'reminder_days')
    when 'array' then settings.value -> 'reminder_days' else ${byDefault}::jsonb end`;
  return db
    .selectFrom('users')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .leftJoin('account_settings as settings', 'settings.account_id', 'users.owner_id')
    .leftJoin('reminded_owners', 'reminded_owners.account_id', 'users.owner_id')
    .where('users.is_trial', '=', false)
    .where('users.suspension', 'is', null)
    .where('owner.banned', '=', false)
    .where(
      sql<SqlBool>`users.expiry_date between ${today}::date and ${today}::date + ${MAX_REMINDER_DAY}::integer`,
    )
    .where(isUntold(today))
    .where(
      sql<SqlBool>`exists (select from jsonb_array_elements_text(${daysBefore}) as before
        where users.expiry_date - before::integer <= ${today}::date
          and (reminded_owners.reminded_on is null
            or users.expiry_date - before::integer > reminded_owners.reminded_on))`,
    );
}

/** Reminds one owner. Returns false if another panel was faster. */
async function remindOwner(tx: Tx, today: Day, account_id: string): Promise<boolean> {
  const lines = await linesDue(tx, today)
    .select(['users.id', 'users.username', 'users.expiry_date'])
    .where('users.owner_id', '=', account_id)
    .orderBy('users.expiry_date')
    .orderBy('users.username')
    .execute();
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return false;
  const claimed = await tx
    .insertInto('reminded_owners')
    .values({ account_id, reminded_on: today })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ reminded_on: today }).where(isUntold(today)),
    )
    .returning('account_id')
    .executeTakeFirst();
  if (!claimed) return false;
  const days = Math.round((Date.parse(last.expiry_date) - Date.parse(today)) / 86_400_000);
  await notify(tx, [
    {
      event: 'lines_expiring',
      facts: { count: lines.length, named: lines.slice(0, NAMED) },
      account_id,
      link:
        lines.length === 1 ? `/users/edit/${first.id}` : `/users/all?expires=${Math.max(1, days)}d`,
    },
  ]);
  return true;
}

/**
 * Reminds owners of their lines that expire soon: one digest for each owner and day, with the lines
 * that came due since the last digest. Returns the number of digests.
 */
export async function remindOfExpiry(
  db: Db,
  today: Day,
  isStopping = () => false,
): Promise<number> {
  let reminded = 0;
  for (;;) {
    const owners = await linesDue(db, today)
      .select('users.owner_id')
      .distinct()
      .limit(OWNERS_AT_ONCE)
      .execute();
    for (const { owner_id } of owners) {
      if (isStopping()) return reminded;
      if (await transact(db, (tx) => remindOwner(tx, today, owner_id))) reminded += 1;
    }
    if (owners.length < OWNERS_AT_ONCE) return reminded;
  }
}
