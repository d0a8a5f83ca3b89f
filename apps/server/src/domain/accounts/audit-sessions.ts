import { describeBrowser } from '@linekeeper/contract/auth/describe-browser.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import {
  auditedFailuresLimit,
  auditedSessionsLimit,
  consumeLimit,
} from '../../platform/rate-limit.ts';
import { auditAccount, auditOriginOf, writeNoAudit } from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';
import { readAccount } from './accounts.ts';

type SessionAction = 'account.sign_in' | 'account.sign_out';

/**
 * Writes who came and went, from where and with what. Each account has a bound an hour, because
 * nothing is ever deleted from the audit log.
 */
export async function auditSession(
  tx: Tx,
  ctx: Ctx,
  action: SessionAction,
  accountId: string,
): Promise<void> {
  if ((await consumeLimit(tx, auditedSessionsLimit, `${action} ${accountId}`)) > 0) return;
  const { name: browser, system } = describeBrowser(ctx.headers.get('user-agent'));
  const data = browser && system ? { browser, system } : {};
  const origin = { ...auditOriginOf(ctx), actor_id: accountId };
  await auditAccount(tx, origin, action, accountId, { data });
}

/**
 * Writes a wrong password for an account into the audit log. Attempts that the rate limits refuse are not
 * written. Neither is an address without an account: it may be a password in the wrong field. Both cases
 * run equal statements, so that the time of the reply does not reveal which accounts exist.
 */
export async function auditWrongPassword(ctx: Ctx, email: string): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const account = await readAccount(tx, 'email', email, ['id']);
    if ((await consumeLimit(tx, auditedFailuresLimit, email)) > 0) return;
    if (!account) return writeNoAudit(tx);
    await auditAccount(tx, auditOriginOf(ctx), 'account.wrong_password', account.id);
  });
}
