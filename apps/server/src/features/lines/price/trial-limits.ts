import type { Day } from '@linekeeper/contract/dates.ts';
import type { Problem } from '@linekeeper/contract/problems.ts';
import type { Settings } from '@linekeeper/contract/settings.ts';
import { sql } from 'kysely';
import type { UsersTable } from '../../../db/schema/schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { boundedAbove } from '../../../domain/accounts/daily-limits.ts';
import { readLimits } from '../../../domain/accounts/limits.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import type { ActingAccount } from './price.ts';

/** Hours for which a trial counts towards the daily limit, even after its line was deleted. */
const COUNTED_HOURS = 24;

/** Number of an account's trials that have not ended. */
async function countLiveTrials(db: Db, ownerId: string, today: Day): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_id', '=', ownerId)
    .where('is_trial', '=', true)
    .where('expiry_date', '>=', today)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Number of recent trials of an account and all below it, or of an account above and all below
 * that: the highest of these numbers. Administrators have no limit and are left out.
 */
async function countRecentTrials(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
      from ${boundedAbove}
        join account_tree as below on below.ancestor_id = above.ancestor_id
        join trials_made as made on made.account_id = below.account_id
      where above.account_id = ${accountId}
        and made.made_at > now() - make_interval(hours => ${COUNTED_HOURS})
      group by above.ancestor_id
      order by count desc limit 1`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Makes transactions that count trials of these accounts wait for each other, so that two concurrent trials cannot both
 * be the last. Locks in the order of ids to avoid deadlocks. The lock is not FOR UPDATE, which would conflict with the
 * key-share locks of foreign keys and so block concurrent sales.
 */
async function lockWithAccountsAbove(tx: Tx, accountId: string): Promise<void> {
  await sql`
    select id from auth_users
      where not is_admin
        and id in (select ancestor_id from account_tree where account_id = ${accountId})
      order by id for no key update`.execute(tx);
}

/** The number of trials left under the strictest limit, and the error once none is left. */
export interface TrialRoom {
  left: number;
  limit: Problem;
}

/** The trials left; null for administrators, who have no limit. */
export async function readTrialRoom(
  db: Db,
  actor: SignedIn,
  today: Day,
  { trial_limit, trial_daily_limit }: Settings,
): Promise<TrialRoom | null> {
  if (actor.is_admin) return null;
  const { trials } = await readLimits(db, actor.id, today);
  const rooms: TrialRoom[] = [
    {
      left: trial_limit - (await countLiveTrials(db, actor.id, today)),
      limit: { code: 'TRIAL_LIMIT_REACHED', data: { limit: trial_limit, count: trial_limit } },
    },
    {
      left: trial_daily_limit - (await countRecentTrials(db, actor.id)),
      limit: {
        code: 'TRIAL_DAILY_LIMIT_REACHED',
        data: { limit: trial_daily_limit, count: trial_daily_limit },
      },
    },
    {
      left: (trials.bound ?? Number.POSITIVE_INFINITY) - trials.used,
      limit: { code: 'LIMIT_OF_TRIALS', data: {} },
    },
  ];
  return rooms.reduce((least, room) => (room.left < least.left ? room : least));
}

export type NewTrial = Pick<UsersTable, 'id' | 'username' | 'server_id'> & {
  /** The other servers of its plan. */
  also?: readonly string[];
};
type TrialName = Pick<NewTrial, 'username' | 'server_id'>;

/**
 * Finds which of these usernames already had a trial on one of the same servers in the last `trial_name_days`, as another line.
 * None of them if that setting is 0.
 */
export async function findTried(
  db: Db,
  trials: readonly (TrialName & Partial<NewTrial>)[],
  { trial_name_days: days }: Settings,
): Promise<TrialName[]> {
  if (days === 0 || trials.length === 0) return [];
  const asked = trials.map(({ id, username, server_id, also = [] }) => {
    return { id, username, server_id, servers: [server_id, ...also] };
  });
  const { rows } = await sql<TrialName>`
    select username, server_id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as trial (
        id uuid, username text, server_id uuid, servers uuid[])
      where exists (
        select from trials_made made
          where trial.servers && (made.also_on || made.server_id)
            and made.username = normalize(trial.username, NFC)
            and made.line_id is distinct from trial.id
            and made.made_at > now() - make_interval(days => ${days}))`.execute(db);
  return rows;
}

/** Refuses a username that had a trial on the same server within the set number of days. Throws TRIAL_OF_NAME. */
async function refuseTried(tx: Tx, trials: readonly NewTrial[], settings: Settings): Promise<void> {
  const { trial_name_days: days } = settings;
  const tried = await findTried(tx, trials, settings);
  if (tried.length > 0) fail('TRIAL_OF_NAME', { days, count: days });
}

/** Remembers trials with a new name or plan on the servers of their plan. Throws TRIAL_OF_NAME, except for administrators. */
export async function noteMovedTrials(
  tx: Tx,
  { actor }: ActingAccount,
  trials: readonly NewTrial[],
): Promise<void> {
  if (!actor.is_admin && trials.length > 0) await refuseTried(tx, trials, await readSettings(tx));
  for (const { id, username, also = [] } of trials) {
    await sql`update trials_made set also_on = also_on || ${also}::uuid[]
      where line_id = ${id} and username = ${username.normalize('NFC')} and not also_on @> ${also}::uuid[]`.execute(
      tx,
    );
  }
}

/**
 * Counts trials whose lines were just inserted or renamed. Other trials with the same names wait until the commit.
 * Throws TRIAL_LIMIT_REACHED or TRIAL_DAILY_LIMIT_REACHED if there are too many, and TRIAL_OF_NAME.
 */
export async function countNewTrials(
  tx: Tx,
  { actor, today }: ActingAccount,
  trials: readonly NewTrial[],
): Promise<void> {
  if (actor.is_admin || trials.length === 0) return;
  const settings = await readSettings(tx);
  await refuseTried(tx, trials, settings);
  await lockWithAccountsAbove(tx, actor.id);
  await tx
    .insertInto('trials_made')
    .values(
      trials.map(({ id, username, server_id, also = [] }) => ({
        line_id: id,
        username: username.normalize('NFC'),
        server_id,
        also_on: [...also],
        account_id: actor.id,
        made_on: today(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['line_id', 'username']).doUpdateSet({ made_at: sql`now()` }),
    )
    .execute();
  const room = await readTrialRoom(tx, actor, today(), settings);
  if (room && room.left < 0) fail(room.limit.code, room.limit.data);
}

/**
 * Checks the owner's limit of live trials after an undo turned a line back into a trial. The daily
 * limit does not apply, because no trial was created. Throws TRIAL_LIMIT_REACHED.
 */
export async function checkTrialLimitOfOwner(
  tx: Tx,
  { actor, today }: ActingAccount,
  ownerId: string,
): Promise<void> {
  if (actor.is_admin) return;
  const owner = await tx
    .selectFrom('auth_users')
    .select('is_admin')
    .where('id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (owner.is_admin) return;
  const { trial_limit: limit } = await readSettings(tx);
  if ((await countLiveTrials(tx, ownerId, today())) > limit) {
    fail('TRIAL_LIMIT_REACHED', { limit, count: limit });
  }
}

/** Deletes records of trials that no limit counts any longer. */
export async function tidyTrialsMade(db: Db): Promise<void> {
  await sql`delete from trials_made
    where made_at < now() - greatest(make_interval(days => 31),
      make_interval(days => (select value::integer from settings where key = 'trial_name_days')))
  `.execute(db);
}
