import { createHash, randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS } from '@linekeeper/contract/auth/two-factor.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { secondsAhead } from '../../platform/clock.ts';
import { isSameSecret, type Secrets } from '../../platform/keys/secrets.ts';

const HOUR_SECONDS = 60 * 60;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;
/** The time in seconds for which a confirmation link works, and for which the browser that signed up is recognised. */
export const CONFIRMATION_SECONDS = HOUR_SECONDS;

/** The time in seconds for which tokens of each purpose are valid. */
export const validSeconds = {
  /** The link that confirms a sign-up. */
  confirm_email: CONFIRMATION_SECONDS,
  /** The link that sets a new password. */
  reset_password: HOUR_SECONDS,
  /** The link that invites the owner of an account without a password, and sets the first one. */
  invitation: WEEK_SECONDS,
  /** The link that confirms a new email address. */
  change_email: HOUR_SECONDS,
  /** A sign-in whose password was right and whose code is awaited. */
  second_step: CHALLENGE_SECONDS,
};

/** Facts that are stored with the tokens of each purpose. */
interface TokenData {
  confirm_email: Record<string, never>;
  /** `made_by` is null if the link was mailed to the account itself. */
  reset_password: { made_by: string | null };
  invitation: { made_by: string };
  /** `session_id` is the session that asked, which stays when the others end. */
  change_email: { id: string; new_email: string; session_id: string | null };
  second_step: { wrong_codes: number };
}

type Purpose = keyof TokenData;

/** Purposes whose tokens set a password. */
export const passwordLinks = ['reset_password', 'invitation'] as const;

interface StoredToken<P extends Purpose> {
  account_id: string;
  data: TokenData[P];
  expires_at: Date;
  seconds_left: number;
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a token. A fast hash is enough for 256 random bits. */
export const hashOfToken = (token: string) =>
  createHash('sha256').update(token).digest('base64url');

/** Purposes whose older tokens end when a new one is issued. An account may have several sign-ups and sign-ins. */
function purposesEnded<P extends Purpose>(purpose: P, data: TokenData[P]): readonly Purpose[] {
  if (purpose === 'change_email') return ['change_email'];
  if (!('made_by' in data)) return [];
  // Anyone who knows an email address can request a link to it, which must not end an invitation.
  return data.made_by === null ? ['reset_password'] : passwordLinks;
}

/**
 * Stores a token, of which only the hash is kept, and returns when it expires. The caller has locked the
 * account. Decision 0130: links and the second step are one kind of thing, in one table.
 */
export async function issueToken<P extends Purpose>(
  tx: Tx,
  purpose: P,
  account_id: string,
  data: TokenData[P],
  token: string,
): Promise<Date> {
  const ended = purposesEnded(purpose, data);
  if (ended.length > 0) await endTokens(tx, account_id, ended);
  const { expires_at } = await tx
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashOfToken(token),
      purpose,
      account_id,
      data: JSON.stringify(data),
      expires_at: secondsAhead(validSeconds[purpose]),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

async function findBy<P extends Purpose>(
  db: Db,
  purpose: P,
  key: 'token_hash' | 'account_id',
  value: string,
): Promise<StoredToken<P> | null> {
  const secondsLeft = sql<number>`ceil(extract(epoch from expires_at - clock_timestamp()))::integer`;
  const found = await db
    .selectFrom('one_time_tokens')
    .select(['account_id', 'data', 'expires_at', secondsLeft.as('seconds_left')])
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(key, '=', value)
    .$castTo<StoredToken<P>>()
    .executeTakeFirst();
  return found ?? null;
}

/** The account of a token, and the facts stored with it. Null if the token is unknown, used, replaced or expired. */
export const findToken = <P extends Purpose>(db: Db, purpose: P, token: string) =>
  findBy(db, purpose, 'token_hash', hashOfToken(token));

/** The account's change of address that waits for its link to be opened. */
export const findEmailChange = (db: Db, accountId: string) =>
  findBy(db, 'change_email', 'account_id', accountId);

/** Uses up a token of one of the purposes. Returns false if another call used it first. */
export async function takeToken(
  tx: Tx,
  purposes: readonly Purpose[],
  token: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_tokens')
    .where('purpose', 'in', purposes)
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Stores the number of wrong codes in a sign-in's second step. */
export async function storeWrongCodes(tx: Tx, token: string, wrong_codes: number): Promise<void> {
  const data: TokenData['second_step'] = { wrong_codes };
  await tx
    .updateTable('one_time_tokens')
    .set({ data: JSON.stringify(data) })
    .where('purpose', '=', 'second_step')
    .where('token_hash', '=', hashOfToken(token))
    .execute();
}

export async function endTokens(
  tx: Tx,
  accountId: string,
  purposes: readonly Purpose[],
): Promise<void> {
  await tx
    .deleteFrom('one_time_tokens')
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .execute();
}

export async function deleteExpiredTokens(db: Db): Promise<void> {
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', sql<Date>`now()`).execute();
}

const signatureOf = (secrets: Secrets, id: string) => secrets.signLink(`change-email ${id}`);

/**
 * The token in the link that confirms a new address: the id of the change, which is the token that is stored
 * as a hash, and a signature. Only the id is kept, so that each mail of the change has the same link.
 */
export function emailChangeToken(secrets: Secrets, id: string): string {
  return `${id}.${signatureOf(secrets, id)}`;
}

/** Reads the id of an email change from the token in its link; null if this panel's key did not sign the token. */
export function readEmailChangeToken(secrets: Secrets, token: string): string | null {
  const [id = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(id)) return null;
  return isSameSecret(signature, signatureOf(secrets, id)) ? id : null;
}
