import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';
import { makeCode } from '../../platform/make-code.ts';
import { hashOfToken } from './one-time-tokens.ts';
import { newTotpSecret, STEP_SECONDS, stepOfCode } from './totp.ts';

const RECOVERY_CODES = 8;

/** The hash of a recovery code; case, spaces and dashes make no difference. */
const hashOf = (code: string) => hashOfToken(code.toUpperCase().replace(/[^A-Z0-9]/g, ''));

/** Input of the second step of a sign-in: exactly one of the two codes. */
export interface GivenCode {
  code?: string | undefined;
  recovery_code?: string | undefined;
}

export async function readTwoFactor(db: Db, accountId: string) {
  const { rows } = await sql<{ is_on: boolean; left: number }>`select is_on,
      (select count(*) from recovery_codes where account_id = two_factor.account_id) as left
    from two_factor where account_id = ${accountId}`.execute(db);
  const { is_on, left } = rows[0] ?? { is_on: false, left: 0 };
  return { is_on, recovery_codes_left: is_on ? left : 0 };
}

/** True if two-factor sign-in is on; undefined if there is no secret. */
async function readIsOn(tx: Db, accountId: string): Promise<boolean | undefined> {
  const stored = tx.selectFrom('two_factor').select('is_on').where('account_id', '=', accountId);
  return (await stored.executeTakeFirst())?.is_on;
}

/**
 * True if the account needs a second step. Within a transaction that locked the account, this stays so until the end.
 */
export const isTwoFactorOn = async (tx: Db, accountId: string): Promise<boolean> =>
  (await readIsOn(tx, accountId)) ?? false;

/** True if there is a secret, whether it is in use or waits for its first code. */
export const isTwoFactorBegun = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await readIsOn(tx, accountId)) !== undefined;

/** Stores a secret that is off until its first code is entered, and replaces an earlier one without a code. */
export async function beginTwoFactor(
  tx: Tx,
  secrets: Secrets,
  account_id: string,
): Promise<{ secret: string; recovery_codes: string[] }> {
  const secret = newTotpSecret();
  await tx.deleteFrom('two_factor').where('account_id', '=', account_id).execute();
  await tx
    .insertInto('two_factor')
    .values({ account_id, secret: secrets.seal(secret, account_id) })
    .execute();
  return { secret, recovery_codes: await replaceRecoveryCodes(tx, account_id) };
}

export async function turnTwoFactorOn(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('two_factor')
    .set({ is_on: true })
    .where('account_id', '=', accountId)
    .execute();
}

export async function turnTwoFactorOff(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('two_factor').where('account_id', '=', accountId).execute();
}

/** Replaces the recovery codes. Returns the only copy of the new ones. */
export async function replaceRecoveryCodes(tx: Tx, account_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
  await tx.deleteFrom('recovery_codes').where('account_id', '=', account_id).execute();
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ account_id, code_hash: hashOf(code) })))
    .execute();
  return codes;
}

/** Checks a code and uses it up; true if it is right. */
export function takeCode(
  tx: Tx,
  secrets: Secrets,
  accountId: string,
  { code, recovery_code }: GivenCode,
): Promise<boolean> {
  if (recovery_code !== undefined) return takeRecoveryCode(tx, accountId, recovery_code);
  return takeTotpCode(tx, secrets, accountId, code ?? '');
}

async function takeRecoveryCode(tx: Tx, accountId: string, code: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(code))
    .returning('code_hash')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Checks a code of the app by the time of the database, which all panels share. */
async function takeTotpCode(
  tx: Tx,
  secrets: Secrets,
  accountId: string,
  code: string,
): Promise<boolean> {
  const now = sql<number>`floor(extract(epoch from clock_timestamp()) / ${sql.lit(STEP_SECONDS)})::bigint`;
  const stored = await tx
    .selectFrom('two_factor')
    .select(['secret', 'last_step', now.as('now')])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!stored) return false;
  const step = stepOfCode(secrets.open(stored.secret, accountId), code, stored.now);
  if (step === null || stored.last_step >= step) return false;
  await tx
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .execute();
  return true;
}
