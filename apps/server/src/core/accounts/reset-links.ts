import { createHash, randomBytes } from 'node:crypto';
import { can } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { isReached } from '../clock.ts';
import { hasPowersOf, readPowers } from './powers.ts';

const VALID_SECONDS = 60 * 60;

/** 256 random bits need no slow hash. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export interface ResetLink {
  token: string;
  expires_at: Date;
}

export function newResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Makes this token the one valid link of an account; the one before ends. Only its hash is stored.
 * `madeBy` is null if it was mailed to the account itself.
 */
export async function storeResetLink(
  tx: Tx,
  accountId: string,
  madeBy: string | null,
  token: string,
): Promise<Date> {
  const link = {
    token_hash: hashOf(token),
    made_by: madeBy,
    expires_at: sql<Date>`now() + make_interval(secs => ${VALID_SECONDS})`,
    created_at: sql<Date>`now()`,
  };
  const { expires_at } = await tx
    .insertInto('password_reset_links')
    .values({ account_id: accountId, ...link })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

export async function makeResetLink(tx: Tx, accountId: string, madeBy: string): Promise<ResetLink> {
  const token = newResetToken();
  return { token, expires_at: await storeResetLink(tx, accountId, madeBy, token) };
}

/**
 * The account whose password this token may set now; null if the link is unknown, used, replaced or
 * expired, if the account is banned, or if who made it could not make it any more: a link carries no
 * more than the powers that its maker has when it is used.
 */
export async function accountOfResetLink(db: Db, token: string): Promise<string | null> {
  const link = await db
    .selectFrom('password_reset_links')
    .select(['account_id', 'made_by'])
    .where('token_hash', '=', hashOf(token))
    .where((where) => where.not(isReached(sql.ref('expires_at'), VALID_SECONDS)))
    .executeTakeFirst();
  const account = link && (await readPowers(db, link.account_id));
  if (!link || !account || account.banned) return null;
  if (link.made_by === null) return account.id;
  const maker = await readPowers(db, link.made_by);
  if (!maker || maker.banned || !hasPowersOf(maker, account)) return null;
  const reaches =
    can(maker, ['manage_resellers']) ||
    (can(maker, ['add_credits']) && (await isBelow(db, maker.id, account.id)));
  return reaches ? account.id : null;
}

async function isBelow(db: Db, ancestor_id: string, account_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('account_tree')
    .select('depth')
    .where('ancestor_id', '=', ancestor_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  return found !== undefined;
}

interface TakenLink {
  account_id: string;
  /** True if the link was sent by mail, which proves that its user reads the account's mail. */
  was_mailed: boolean;
}

/** Takes the link, so that of two uses at once one succeeds. */
export async function takeResetLink(tx: Tx, token: string): Promise<TakenLink | null> {
  const taken = await tx
    .deleteFrom('password_reset_links')
    .where('token_hash', '=', hashOf(token))
    .returning(['account_id', 'made_by'])
    .executeTakeFirst();
  return taken ? { account_id: taken.account_id, was_mailed: taken.made_by === null } : null;
}

export async function endResetLink(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('password_reset_links').where('account_id', '=', accountId).execute();
}

export async function deleteExpiredResetLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('password_reset_links')
    .where(isReached(sql.ref('expires_at'), VALID_SECONDS))
    .execute();
}
