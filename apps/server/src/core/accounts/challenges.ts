import { createHash, randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS, WRONG_CODES_ALLOWED } from '@linekeeper/contract/auth/two-factor.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isReached } from '../clock.ts';

/** 256 random bits need no slow hash. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Says that the password of a sign-in was right. Only its hash is stored. */
export async function makeChallenge(tx: Tx, account_id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx
    .insertInto('two_factor_challenges')
    .values({
      account_id,
      token_hash: hashOf(token),
      expires_at: sql<Date>`now() + make_interval(secs => ${CHALLENGE_SECONDS})`,
    })
    .execute();
  return token;
}

/** The account that is signing in; null if the challenge is unknown, used or expired. */
export async function accountOfChallenge(
  db: Db,
  token: string,
): Promise<{ id: string; email: string; seconds_left: number } | null> {
  const account = await db
    .selectFrom('two_factor_challenges as challenge')
    .innerJoin('auth_users', 'auth_users.id', 'challenge.account_id')
    .select(['auth_users.id', 'auth_users.email'])
    .select(
      sql<number>`ceil(extract(epoch from challenge.expires_at - clock_timestamp()))::integer`.as(
        'seconds_left',
      ),
    )
    .where('token_hash', '=', hashOf(token))
    .where((where) => where.not(isReached(sql.ref('challenge.expires_at'), CHALLENGE_SECONDS)))
    .executeTakeFirst();
  return account ?? null;
}

/** Counts a wrong code; the last one allowed ends the challenge. Returns whether it ended. */
export async function countWrongCode(tx: Tx, token: string): Promise<boolean> {
  const ended = await tx
    .deleteFrom('two_factor_challenges')
    .where('token_hash', '=', hashOf(token))
    .where('wrong_codes', '>=', WRONG_CODES_ALLOWED - 1)
    .returning('account_id')
    .executeTakeFirst();
  if (ended) return true;
  await tx
    .updateTable('two_factor_challenges')
    .set({ wrong_codes: sql<number>`wrong_codes + 1` })
    .where('token_hash', '=', hashOf(token))
    .execute();
  return false;
}

export async function endChallenge(tx: Tx, token: string): Promise<void> {
  await tx.deleteFrom('two_factor_challenges').where('token_hash', '=', hashOf(token)).execute();
}

/** A sign-in that began with what is no longer so begins anew. */
export async function endChallenges(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('two_factor_challenges').where('account_id', '=', accountId).execute();
}

export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await db
    .deleteFrom('two_factor_challenges')
    .where(isReached(sql.ref('expires_at'), CHALLENGE_SECONDS))
    .execute();
}
