import type * as contract from '@linekeeper/contract/auth/auth.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import {
  isPassword,
  lockAccount,
  orForgive,
  readPasswordHash,
  storePassword,
} from '../../domain/accounts/account-passwords.ts';
import { changeAccount, insertAccount, readAccount } from '../../domain/accounts/accounts.ts';
import {
  CONFIRMATION_SECONDS,
  findToken,
  readEmailChangeToken,
} from '../../domain/accounts/one-time-tokens.ts';
import { endOtherSessions } from '../../domain/accounts/sessions.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { mayBeMailed } from '../../domain/mail/send-mail.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { isSameSecret, type Secrets } from '../../platform/keys/secrets.ts';
import { enforceLimit, releaseLimit, signUpLimit } from '../../platform/rate-limit.ts';
import { readSettings } from '../../platform/settings.ts';
import { confirmEmailChange } from './change-email.ts';
import { countPassword, queueConfirmation, unconfirmed } from './sign-in.ts';

/** A proof that only the browser has which signed up with this password; the email does not contain it. */
const browserProof = (secrets: Secrets, email: string, passwordHash: string) =>
  secrets.signLink(`signed up ${email.toLowerCase()} ${passwordHash}`);

/**
 * Creates an account in the group Users, and sends the link that confirms its address if the panel sends email. Throws
 * SIGN_UP_CLOSED, PASSWORD_TOO_COMMON, TOO_MANY_ATTEMPTS; without a mail server COULD_NOT_CREATE_ACCOUNT.
 */
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
      // A sign-up for which no email is sent must not invalidate the link of the last email.
      if (!(await mayBeMailed(tx, 'confirm_email', body.email))) return inserted;
      await replaceUnconfirmed(tx, body, password_hash);
    }
    // An unconfirmed account gets another link, because the first one may have been lost.
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
  // With a mail server, an existing account gets the same reply, so that sign-up does not reveal it.
  return { success: true, confirmation_needed: true };
};

/**
 * Replaces a sign-up that was never confirmed by a later one with the same address, because the first may be a
 * stranger's. Links from before end together with the old password. Only those that reset the password stay: they were
 * mailed to the owner. Does nothing to a confirmed account.
 */
async function replaceUnconfirmed(
  tx: Tx,
  { email, name = '', username }: Parsed<typeof contract.signUp>['body'],
  password_hash: string,
): Promise<void> {
  const account = await unconfirmed(tx, email).forUpdate().executeTakeFirst();
  if (!account) return;
  await changeAccount(tx, account.id, { full_name: name, username: username || email });
  await storePassword(tx, account.id, password_hash);
  await endOtherSessions(tx, account.id, null);
}

/** A sign-up for which a link was emailed. */
interface MailedSignUp {
  id: string;
  email: string;
  password_hash: string;
  email_verified: boolean;
}

/**
 * The sign-up that requested the link: not a later one with the same address, and not one whose
 * password was replaced. The link stays valid for its hour, so that opening it again shows that the
 * address is confirmed. Throws INVALID_CONFIRMATION if the token is unknown or expired.
 */
async function readSignUp({ db }: Ctx, token: string): Promise<MailedSignUp> {
  const found = await findToken(db, 'confirm_email', token);
  const account =
    found && (await readAccount(db, 'id', found.account_id, ['id', 'email', 'email_verified']));
  const password_hash = account && (await readPasswordHash(db, account.id));
  return password_hash ? { ...account, password_hash } : fail('INVALID_CONFIRMATION');
}

/** Confirms an address. Throws INVALID_CONFIRMATION, and the errors of `checkItIsTheirs`. */
export const confirmEmail: Action<typeof contract.confirmEmail> = async (ctx, { body }) => {
  const changeId = readEmailChangeToken(ctx.secrets, body.token);
  if (changeId !== null) {
    await confirmEmailChange(ctx, changeId);
    return { success: true, email_changed: true, email: null };
  }
  const signedUp = await readSignUp(ctx, body.token);
  if (!signedUp.email_verified) {
    await checkItIsTheirs(ctx, signedUp, body.password);
    const isConfirmed = await transact(ctx.db, (tx) => confirmSignUp(tx, signedUp));
    if (!isConfirmed) fail('INVALID_CONFIRMATION');
  }
  return { success: true, email_changed: false, email: signedUp.email };
};

/**
 * Checks that the reader of the email is the person who signed up. The browser that signed up has a proof; on any
 * other, the password of that sign-up is needed, or a new one set by a link. Throws SIGN_UP_PASSWORD_NEEDED,
 * WRONG_SIGN_UP_PASSWORD and TOO_MANY_ATTEMPTS.
 */
async function checkItIsTheirs(
  ctx: Ctx,
  signedUp: MailedSignUp,
  password: string | undefined,
): Promise<void> {
  const proof = ctx.auth.signUpCookie.read(ctx.headers);
  const { email, password_hash } = signedUp;
  if (proof && isSameSecret(proof, browserProof(ctx.secrets, email, password_hash))) return;
  if (password === undefined) return fail('SIGN_UP_PASSWORD_NEEDED');
  const forgive = await countPassword(ctx, email);
  const isRight = await orForgive(isPassword(ctx, email, password_hash, password), forgive);
  if (!isRight) failField('password', 'WRONG_SIGN_UP_PASSWORD');
  await forgive();
}

/**
 * Confirms a sign-up if one person has both its password and its mailbox; false if the password was
 * replaced in the meantime.
 */
async function confirmSignUp(tx: Tx, { id, password_hash }: MailedSignUp): Promise<boolean> {
  const account = await lockAccount(tx, id);
  if (account?.password_hash !== password_hash) return false;
  await changeAccount(tx, id, { email_verified: true, is_mailbox_proven: true });
  return true;
}
