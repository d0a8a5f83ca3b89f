import { createHash, randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS } from '@linekeeper/contract/auth/two-factor.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isSameSecret } from '../../platform/keys/same-secret.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';

const HOUR_SECONDS = 60 * 60;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;
/** How long a confirmation link works, and a browser is known as the one that signed up. */
export const CONFIRMATION_SECONDS = HOUR_SECONDS;

/** How long the tokens of each purpose are valid. */
export const validSeconds = {
  /** The link that confirms a sign-up. */
  confirm_email: CONFIRMATION_SECONDS,
  /** The link that sets a new password. */
  reset_password: HOUR_SECONDS,
  /** The same link for an account that has no password yet. */
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

export type Purpose = keyof TokenData;

/** Purposes of which an account has one valid token: a newer one ends the one before. */
const singlePurposes = ['reset_password', 'invitation', 'change_email'] as const;
/** Purposes whose tokens set a password: a newer one ends those of both. */
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

/** 256 random bits need no slow hash. */
export const hashOfToken = (token: string) =>
  createHash('sha256').update(token).digest('base64url');

/**
 * Stores a token, of which only the hash is kept, and returns when it expires. The caller has locked the
 * account.
 */
export async function issueToken<P extends Purpose>(
  tx: Tx,
  purpose: P,
  account_id: string,
  data: TokenData[P],
  token: string,
): Promise<Date> {
  if (passwordLinks.some((link) => link === purpose)) {
    // Anybody who knows an email can have a link mailed, which must not end an invitation.
    const isMailed = 'made_by' in data && data.made_by === null;
    await endTokens(tx, account_id, isMailed ? ['reset_password'] : passwordLinks);
  } else if (singlePurposes.some((single) => single === purpose))
    await endTokens(tx, account_id, [purpose]);
  const { expires_at } = await tx
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashOfToken(token),
      purpose,
      account_id,
      data: JSON.stringify(data),
      expires_at: sql<Date>`now() + make_interval(secs => ${validSeconds[purpose]})`,
    })
    // Two links of one second that confirm one sign-up are the same.
    .onConflict((conflict) =>
      conflict
        .column('token_hash')
        .doUpdateSet((row) => ({ expires_at: row.ref('excluded.expires_at') })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

function validTokens<P extends Purpose>(db: Db, purpose: P) {
  return db
    .selectFrom('one_time_tokens')
    .select(['account_id', 'data', 'expires_at'])
    .select(
      sql<number>`ceil(extract(epoch from expires_at - clock_timestamp()))::integer`.as(
        'seconds_left',
      ),
    )
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .$castTo<StoredToken<P>>();
}

/** Null if the token is unknown, used, replaced or expired. */
export async function findToken<P extends Purpose>(
  db: Db,
  purpose: P,
  token: string,
): Promise<StoredToken<P> | null> {
  const found = await validTokens(db, purpose)
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return found ?? null;
}

export async function findTokenOf<P extends (typeof singlePurposes)[number]>(
  db: Db,
  purpose: P,
  accountId: string,
): Promise<StoredToken<P> | null> {
  const found = await validTokens(db, purpose)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found ?? null;
}

/** Uses a token up. False if another use came first. */
export async function takeToken(tx: Tx, purpose: Purpose, token: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_tokens')
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Uses up a link that sets a password. */
export const takePasswordLink = async (tx: Tx, token: string): Promise<boolean> =>
  (await takeToken(tx, 'reset_password', token)) || (await takeToken(tx, 'invitation', token));

export async function changeTokenData<P extends Purpose>(
  tx: Tx,
  purpose: P,
  token: string,
  data: TokenData[P],
): Promise<void> {
  await tx
    .updateTable('one_time_tokens')
    .set({ data: JSON.stringify(data) })
    .where('purpose', '=', purpose)
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

/** The signature in a link of 1.1.0, over the account, the end of the link and the password hash. */
export const confirmationSignature = (
  secrets: Secrets,
  account_id: string,
  endsAt: string,
  passwordHash: string,
) => secrets.signLink(`confirm ${account_id} ${endsAt} ${passwordHash}`);

/**
 * A token for a confirmation link that a panel of 1.1.0 beside this one knows, too. After version 1.2 `newToken`
 * suffices.
 */
export function newConfirmationToken(secrets: Secrets, account_id: string, passwordHash: string) {
  const endsAt = String(Math.floor(Date.now() / 1000) + CONFIRMATION_SECONDS);
  return `${account_id}.${endsAt}.${confirmationSignature(secrets, account_id, endsAt, passwordHash)}`;
}

const signatureOf = (secrets: Secrets, id: string) => secrets.signLink(`change-email ${id}`);

/**
 * The token in the link that confirms a new address: the id of the change, which is the token that is stored
 * as a hash, and a signature. Only the id is kept, so that each mail of the change has the same link.
 */
export function emailChangeToken(secrets: Secrets, id: string): string {
  return `${id}.${signatureOf(secrets, id)}`;
}

/** The id in the token; null if this panel has not signed it. */
export function readEmailChangeToken(secrets: Secrets, token: string): string | null {
  const [id = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(id)) return null;
  return isSameSecret(signature, signatureOf(secrets, id)) ? id : null;
}
