import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { parseCookie } from 'cookie';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { insertAccount } from '../../domain/accounts/accounts.ts';
import { auditWrongPassword } from '../../domain/accounts/audit-sessions.ts';
import {
  CONFIRMATION_SECONDS,
  confirmationSignature,
  findToken,
  readEmailChangeToken,
} from '../../domain/accounts/one-time-tokens.ts';
import { confirmAddress, lockAccount, storePassword } from '../../domain/accounts/own-account.ts';
import { endOtherSessions } from '../../domain/accounts/sessions.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { hasFreeMailSlot } from '../../domain/mail/send-mail.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField, isRetryable } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword, verifyPassword } from '../../platform/keys/passwords.ts';
import { isSameSecret } from '../../platform/keys/same-secret.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';
import { enforceLimit, releaseLimit, signUpLimit } from '../../platform/rate-limit.ts';
import { readSettings } from '../../platform/settings.ts';
import { confirmEmailChange } from './change-email.ts';
import { queueConfirmation } from './send-confirmation.ts';
import { enforceSignInLimits } from './sign-in.ts';

/** A proof that only the browser which signed up with this password has; the mail does not contain it. */
const browserProof = (secrets: Secrets, email: string, passwordHash: string) =>
  secrets.signLink(`signed up ${email.toLowerCase()} ${passwordHash}`);

export const signUp: Action<typeof contract.signUp> = async (ctx, { body }) => {
  const { sign_up_open } = await readSettings(ctx.db);
  if (!sign_up_open) fail('SIGN_UP_CLOSED');
  if (isCommonPassword(body.password)) failField('password', 'PASSWORD_TOO_COMMON');
  await enforceLimit(ctx.db, signUpLimit, ctx.network);
  const password_hash = await hashPassword(body.password).catch(async (error: unknown) => {
    await releaseLimit(ctx.db, signUpLimit, ctx.network);
    throw error;
  });
  const id = await transact(ctx.db, async (tx) => {
    const inserted = await insertAccount(tx, {
      email: body.email,
      password_hash,
      email_verified: !ctx.mail.isConfigured,
      is_mailbox_proven: false,
      group_id: USER_GROUP,
      owner_id: null,
      full_name: body.name,
      username: body.username,
    });
    if (!inserted && ctx.mail.isConfigured) {
      // A sign-up that is sent no link must not end the link that was sent last.
      if (!(await hasFreeMailSlot(tx, 'confirm_email', body.email))) return inserted;
      const { email, name: full_name, username } = body;
      await replaceUnconfirmed(tx, { email, password_hash, full_name, username });
    }
    // An unconfirmed account gets another link, because the first may have been lost.
    await queueConfirmation(tx, ctx, body.email);
    return inserted;
  });
  if (!ctx.mail.isConfigured) {
    if (!id) fail('COULD_NOT_CREATE_ACCOUNT');
    return { success: true, confirmation_needed: false };
  }
  const { signUpCookie } = ctx.auth;
  const proof = browserProof(ctx.secrets, body.email, password_hash);
  ctx.setCookie(signUpCookie.write(proof, CONFIRMATION_SECONDS));
  // With mail, an existing account gives the same reply, so that sign-up does not reveal it.
  return { success: true, confirmation_needed: true };
};

interface SignUp {
  email: string;
  password_hash: string;
  full_name?: string | undefined;
  username?: string | undefined;
}

/**
 * Replaces a sign-up that was never confirmed by a later one under the same address, as the first may be
 * a stranger's. Earlier links end with the old password, except those that reset it: they are the owner's.
 * Does nothing to a confirmed account.
 */
async function replaceUnconfirmed(tx: Tx, signUp: SignUp): Promise<void> {
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
  await storePassword(tx, account.id, signUp.password_hash);
  await endOtherSessions(tx, account.id, null);
}

/** A sign-up that a link was mailed for. */
interface MailedSignUp {
  id: string;
  email: string;
  password_hash: string;
  is_confirmed: boolean;
}

async function findSignUp(db: Db, accountId: string): Promise<MailedSignUp | null> {
  const found = await db
    .selectFrom('auth_users')
    .innerJoin('auth_credentials', 'auth_credentials.user_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.email', 'auth_credentials.password as password_hash'])
    .select('auth_users.email_verified as is_confirmed')
    .where('auth_users.id', '=', accountId)
    .executeTakeFirst();
  return found?.password_hash ? { ...found, password_hash: found.password_hash } : null;
}

/**
 * The sign-up that asked for the link: not one that came after it under the same address, and not one
 * whose password was replaced. The link stays valid for its hour, so that opening it again says that the
 * address is confirmed. Null if the token is unknown or expired.
 */
async function readSignUp({ db, secrets }: Ctx, token: string): Promise<MailedSignUp | null> {
  const found = await findToken(db, 'confirm_email', token);
  return found ? findSignUp(db, found.account_id) : readSignedLink(db, secrets, token);
}

/**
 * The sign-up of a link that a panel of 1.1.0 mailed within the hour before its upgrade. Those were not
 * stored, but signed over the account, their end and the password hash; an end out of reach is of a wrong clock. The version after 1.2 needs this no more.
 */
async function readSignedLink(
  db: Db,
  secrets: Secrets,
  token: string,
): Promise<MailedSignUp | null> {
  const [id = '', endsAt = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(id) || !/^\d{1,12}$/.test(endsAt)) return null;
  const found = await findSignUp(db, id);
  if (!found) return null;
  const expected = confirmationSignature(secrets, id, endsAt, found.password_hash);
  if (!isSameSecret(signature, expected)) return null;
  const end = sql`to_timestamp(${endsAt}::bigint)`;
  const { rows } = await sql<{ is_over: boolean }>`
    select not ${end} between now() and now() + make_interval(secs => ${CONFIRMATION_SECONDS})
      as is_over`.execute(db);
  return rows[0]?.is_over ? null : found;
}

export const confirmEmail: Action<typeof contract.confirmEmail> = async (ctx, { body }) => {
  const changeId = readEmailChangeToken(ctx.secrets, body.token);
  if (changeId !== null) {
    await confirmEmailChange(ctx, changeId);
    return { success: true, email_changed: true, email: null };
  }
  const signedUp = await readSignUp(ctx, body.token);
  if (!signedUp) return fail('INVALID_CONFIRMATION');
  if (!signedUp.is_confirmed) {
    await checkItIsTheirs(ctx, signedUp, body.password);
    const isConfirmed = await transact(ctx.db, (tx) => confirmSignUp(tx, signedUp));
    if (!isConfirmed) fail('INVALID_CONFIRMATION');
  }
  return { success: true, email_changed: false, email: signedUp.email };
};

/**
 * The reader of the mail may not be the person who signed up. The browser that signed up has a proof; anybody else gives
 * the password of that sign-up, or sets a new one by a link.
 */
async function checkItIsTheirs(
  ctx: Ctx,
  signedUp: MailedSignUp,
  password: string | undefined,
): Promise<void> {
  const proof = parseCookie(ctx.headers.get('cookie') ?? '')[ctx.auth.signUpCookie.name] ?? null;
  if (isProofOf(ctx.secrets, signedUp, proof)) return;
  if (password === undefined) return fail('SIGN_UP_PASSWORD_NEEDED');
  const giveBack = await enforceSignInLimits(ctx, signedUp.email);
  const isRight = await verifyPassword(signedUp.password_hash, password).catch(
    async (error: unknown) => {
      // The password was not checked, so this is no failure.
      if (isRetryable(error)) await giveBack();
      throw error;
    },
  );
  if (!isRight) {
    await auditWrongPassword(ctx, signedUp.email);
    failField('password', 'WRONG_SIGN_UP_PASSWORD');
  }
  await giveBack();
}

/** True for what the browser holds that signed up. */
const isProofOf = (
  secrets: Secrets,
  { email, password_hash }: MailedSignUp,
  proof: string | null,
) => proof !== null && isSameSecret(proof, browserProof(secrets, email, password_hash));

/**
 * Confirms a sign-up whose password and mail one person has. False if its password was replaced since it
 * was read.
 */
async function confirmSignUp(tx: Tx, { id, password_hash }: MailedSignUp): Promise<boolean> {
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
