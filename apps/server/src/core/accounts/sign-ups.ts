import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isSameSecret } from '../keys/same-secret.ts';
import type { Secrets } from '../keys/secrets.ts';
import { confirmAddress, lockAccount } from './own-account.ts';
import { endOtherSessions } from './sessions.ts';
import { isTwoFactorBegun, turnTwoFactorOff } from './two-factor.ts';

/** How long a confirmation link works, and a browser is known as the one that signed up. */
export const CONFIRMATION_SECONDS = 60 * 60;

/** The hash has a salt, so it is another one for each sign-up, also of the same password. */
const linkSignature = (secrets: Secrets, id: string, endsAt: string, passwordHash: string) =>
  secrets.signLink(`confirm ${id} ${endsAt} ${passwordHash}`);

/** Known to the browser that signed up with this password, and to nobody who reads the mail alone. */
export const browserProof = (secrets: Secrets, email: string, passwordHash: string) =>
  secrets.signLink(`signed up ${email.toLowerCase()} ${passwordHash}`);

/** The token of a confirmation link; null if the account has no password yet. */
export async function confirmationToken(
  db: Db,
  secrets: Secrets,
  accountId: string,
): Promise<string | null> {
  const { rows } = await sql<{ password: string | null; ends_at: string }>`
    select password, floor(extract(epoch from now()))::bigint + ${CONFIRMATION_SECONDS} as ends_at
      from auth_credentials where user_id = ${accountId} and provider_id = 'credential'`.execute(
    db,
  );
  const [found] = rows;
  if (!found?.password) return null;
  const endsAt = String(found.ends_at);
  return `${accountId}.${endsAt}.${linkSignature(secrets, accountId, endsAt, found.password)}`;
}

/**
 * The email in a link that a panel of 1.0.0 mailed within the last hour; null if it is none. Those links
 * are JSON web tokens, signed with the key of sessions.
 */
function emailOfOldLink(secrets: Secrets, token: string): string | null {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', secrets.sessionKey).update(`${head}.${payload}`);
  if (!isSameSecret(signature, expected.digest('base64url'))) return null;
  try {
    const { email, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const secondsLeft = Number(exp) - Date.now() / 1000;
    const isValid = secondsLeft > 0 && secondsLeft <= CONFIRMATION_SECONDS;
    return isValid && typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}

/** A sign-up that a link was mailed for. */
export interface MailedSignUp {
  id: string;
  email: string;
  password_hash: string;
  is_confirmed: boolean;
}

async function findSignUp(db: Db, column: 'id' | 'email', value: string) {
  const found = await db
    .selectFrom('auth_users')
    .innerJoin('auth_credentials', 'auth_credentials.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email', 'auth_credentials.password as password_hash'])
    .select('auth_users.email_verified as is_confirmed')
    .where(`auth_users.${column}`, '=', value)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return found?.password_hash ? { ...found, password_hash: found.password_hash } : null;
}

/**
 * The sign-up that asked for the link: not one that came after it under the same address, and not one
 * whose password was replaced. Null if the token is none, or not valid any more.
 */
export async function readSignUp(
  db: Db,
  secrets: Secrets,
  token: string,
): Promise<MailedSignUp | null> {
  const oldEmail = emailOfOldLink(secrets, token);
  if (oldEmail !== null) return findSignUp(db, 'email', oldEmail);
  const [id = '', endsAt = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(id) || !/^\d{1,12}$/.test(endsAt)) return null;
  const found = await findSignUp(db, 'id', id);
  if (!found) return null;
  const expected = linkSignature(secrets, id, endsAt, found.password_hash);
  if (!isSameSecret(signature, expected)) return null;
  // A clock that was ahead made links that end later than any may.
  const { rows } = await sql<{ is_valid: boolean }>`
    select to_timestamp(${endsAt}::bigint) > now() and
      to_timestamp(${endsAt}::bigint) <= now() + make_interval(secs => ${CONFIRMATION_SECONDS})
      as is_valid`.execute(db);
  return rows[0]?.is_valid ? found : null;
}

/** True for what the browser holds that signed up. */
export const isProofOf = (
  secrets: Secrets,
  { email, password_hash }: MailedSignUp,
  proof: string | null,
) => proof !== null && isSameSecret(proof, browserProof(secrets, email, password_hash));

/**
 * Confirms a sign-up whose password and mail one person has. False if its password was replaced since it
 * was read.
 */
export async function confirmSignUp(tx: Tx, { id, password_hash }: MailedSignUp): Promise<boolean> {
  const account = await lockAccount(tx, id);
  if (account?.password_hash !== password_hash) return false;
  await confirmAddress(tx, id);
  await tx
    .updateTable('auth_users')
    .set({ is_mailbox_proven: true })
    .where('id', '=', id)
    .execute();
  return true;
}

interface SignUp {
  email: string;
  password_hash: string;
  full_name?: string | undefined;
  username?: string | undefined;
}

/**
 * Replaces a sign-up that was never confirmed by a later one under the same address, as the first may be
 * somebody else's. Links mailed before end with the password; a link that resets it is the owner's and
 * stays. Does nothing to a confirmed account.
 */
export async function replaceUnconfirmed(tx: Tx, signUp: SignUp): Promise<void> {
  const account = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', signUp.email.toLowerCase())
    .where('email_verified', '=', false)
    .where('banned', '=', false)
    .forUpdate()
    .executeTakeFirst();
  if (!account) return;
  await tx
    .updateTable('auth_users')
    .set({
      full_name: signUp.full_name ?? '',
      username: signUp.username || signUp.email,
      updated_at: sql`now()`,
    })
    .where('id', '=', account.id)
    .execute();
  await tx
    .updateTable('auth_credentials')
    .set({ password: signUp.password_hash, updated_at: sql`now()` })
    .where('user_id', '=', account.id)
    .where('provider_id', '=', 'credential')
    .execute();
  await endOtherSessions(tx, account.id, null);
}

/**
 * Notes that who reads the account's mail has set its password. The first time, two-factor sign-in that is
 * on is turned off, because somebody else may have signed up with the address and turned it on. True if
 * it was.
 */
export async function proveMailbox(tx: Tx, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth_users')
    .set({ is_mailbox_proven: true })
    .where('id', '=', accountId)
    .where('is_mailbox_proven', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n || !(await isTwoFactorBegun(tx, accountId))) return false;
  await turnTwoFactorOff(tx, accountId);
  return true;
}
