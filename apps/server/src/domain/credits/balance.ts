import type { Transfer } from '@linekeeper/contract/accounts/accounts.ts';
import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { readAccount, shownCredits } from '../accounts/accounts.ts';
import {
  type AuditCtx,
  auditAccount,
  auditOriginOf,
  differing,
  type Fields,
} from '../audit/audit.ts';
import type { SignedIn } from '../context/access.ts';
import { notify } from '../notices/notify.ts';

/** Credits to show for an account. Throws USER_NOT_FOUND. */
export async function readBalance(db: Db, accountId: string): Promise<number> {
  const account = await readAccount(db, 'id', accountId, ['is_admin', 'credits']);
  return account ? shownCredits(account) : fail('USER_NOT_FOUND');
}

/**
 * Throws INSUFFICIENT_CREDITS if the actor cannot pay `required` credits. Called before a username
 * is looked up, so that an account without credits cannot find out the names of other lines.
 */
export async function refuseUnpaid(db: Db, actor: SignedIn, required: number): Promise<void> {
  if (actor.is_admin || required === 0) return;
  const available = await readBalance(db, actor.id);
  if (required > available) fail('INSUFFICIENT_CREDITS', { required, available });
}

/**
 * Writes the entry of an account whose credits were moved, and returns the account. Reads the balance after the
 * change, because reading it earlier would lock accounts in another order than moving credits does. Throws
 * USER_NOT_FOUND.
 */
export async function auditBalance(
  tx: Tx,
  ctx: AuditCtx,
  action: AuditAction,
  account_id: string,
  transfer: Transfer | null,
  data: Fields,
) {
  const account = await readAccount(tx, 'id', account_id, ['credits', 'is_admin']);
  if (!account) return fail('USER_NOT_FOUND');
  const { credits } = account;
  const moved = transfer ? (transfer.to_id === account_id ? 1 : -1) * transfer.amount : 0;
  const states = differing({ before: { credits: credits - moved }, after: { credits } });
  await auditAccount(tx, auditOriginOf(ctx), action, account_id, { ...states, data });
  return account;
}

/**
 * Writes the audit entry of a transfer by a person: credits added, taken back or refunded, or a balance set. Notifies
 * the account of its new balance, unless it made the transfer itself. Throws USER_NOT_FOUND.
 */
export async function recordMovement(
  tx: Tx,
  ctx: AuditCtx,
  action: AuditAction,
  account_id: string,
  transfer: Transfer,
): Promise<void> {
  const { id: transfer_id, kind, amount, note, to_id, actor_id } = transfer;
  const data = { transfer_id, kind, note };
  const account = await auditBalance(tx, ctx, action, account_id, transfer, data);
  if (actor_id === account_id) return;
  const balance = account.is_admin ? null : account.credits;
  const event = to_id === account_id ? 'credits_added' : 'credits_taken_back';
  await notify(tx, [{ event, facts: { amount, balance, note }, account_id, link: '/credits' }]);
}
