import type * as contract from '@linekeeper/contract/accounts/bans.ts';
import { MAX_BULK_LINES } from '@linekeeper/contract/lines/bulk.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import {
  type AccountPermissions,
  checkAdminRemains,
  hasPermissionsOf,
  isBannedFromAbove,
  lockIfAdmin,
  lockOtherAccount,
  outranks,
  requireSession,
  unliftedBans,
} from '../../domain/accounts/account-policy.ts';
import { changeAccount, findAccount } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { endAccess } from '../../domain/accounts/sessions.ts';
import { auditAccount, auditOriginOf, differing } from '../../domain/audit/audit.ts';
import {
  accountScope,
  isVisibleTo,
  lineScope,
  type SignedIn,
  visibleTo,
} from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { askForJob } from '../../domain/lines/jobs.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** Lines of the account and of accounts below that are not suspended, or would resume automatically. */
function suspendable(db: Db, actor: SignedIn, account_id: string) {
  return db
    .selectFrom('account_tree')
    .innerJoin('users', 'users.owner_id', 'account_tree.account_id')
    .where('account_tree.ancestor_id', '=', account_id)
    .where(sql<SqlBool>`(users.suspension is null or users.suspension ->> 'until' is not null)`)
    .where(isVisibleTo(lineScope(actor), 'users.owner_id'));
}

/** Lines that the ban of the account has suspended, even if they have another owner now. */
function suspendedByBan(db: Db, actor: SignedIn, account_id: string) {
  return db
    .selectFrom('users')
    .where(visibleTo(lineScope(actor), 'users.owner_id'))
    .where(sql<SqlBool>`users.status_label = 'suspended'`)
    .where(sql<SqlBool>`users.suspension ->> 'ban_of' = ${account_id}`);
}

/**
 * The numbers of lines that a ban would suspend and its end would resume, among the lines that the actor may change.
 */
async function countBannedLines(db: Db, actor: SignedIn, account_id: string) {
  if (!can(actor, ['view_users'])) return { lines: 0, accounts: 0, suspended: 0 };
  const { lines, accounts } = await suspendable(db, actor, account_id)
    .select(({ fn }) => [
      fn.countAll<number>().as('lines'),
      fn.count<number>('users.owner_id').distinct().as('accounts'),
    ])
    .executeTakeFirstOrThrow();
  const { suspended } = await suspendedByBan(db, actor, account_id)
    .select(({ fn }) => fn.countAll<number>().as('suspended'))
    .executeTakeFirstOrThrow();
  return { lines: Number(lines), accounts: Number(accounts), suspended: Number(suspended) };
}

/**
 * Queues the jobs that suspend the lines of a banned account and of all below it, or resume those
 * that its ban suspended; none is longer than any other job may be. They begin after the commit.
 * Throws FORBIDDEN if the actor may not change lines, and DAILY_LIMIT_REACHED.
 */
async function orderLineJobs(
  tx: Tx,
  ctx: Ctx,
  action: 'suspend' | 'resume',
  account_id: string,
): Promise<{ job_ids: string[]; lines: number }> {
  const { actor } = ctx;
  if (!can(actor, ['view_users'])) fail('FORBIDDEN');
  const found = await (action === 'suspend' ? suspendable : suspendedByBan)(tx, actor, account_id)
    .select(['users.id', 'users.username'])
    .orderBy('users.username')
    .execute();
  const job_ids: string[] = [];
  for (let from = 0; from < found.length; from += MAX_BULK_LINES) {
    const items = found.slice(from, from + MAX_BULK_LINES).map(({ id, username }, index) => ({
      position: index + 1,
      line_id: id,
      username,
      state: 'waiting' as const,
    }));
    const job = { action, arguments: { ban_of: account_id } };
    job_ids.push(await askForJob(tx, ctx, job, items));
  }
  return { job_ids, lines: found.length };
}

interface Changed {
  id: string;
  /** Ids of the jobs that suspend or resume the account's lines. */
  job_ids: string[];
}

/**
 * True if an account at least as high as the actor has banned it. A ban by a lower account does not
 * count, because a ban from above is added to it.
 */
async function isBannedAsStrongly(tx: Tx, { id: actorId }: SignedIn, id: string): Promise<boolean> {
  const asStrong = await unliftedBans(tx, id)
    .where(
      sql<SqlBool>`(ban.actor_id = ${actorId} or ${outranks('ban.actor_id', actorId)}
        or exists (select from auth_users where id = ban.actor_id and is_admin))`,
    )
    .executeTakeFirst();
  return asStrong !== undefined;
}

async function reply({ db, actor }: Ctx, { id, job_ids }: Changed) {
  return { account: await findAccountFor(db, actor, id), job_ids };
}

/**
 * Bans or unbans an account that is locked, with its lines if requested. Writes an audit entry, unless the account
 * already `isSo` and no line changes.
 */
async function setBanned(
  tx: Tx,
  ctx: Ctx,
  { id, banned: was }: AccountPermissions,
  { banned, takesLines, isSo }: { banned: boolean; takesLines: boolean; isSo: boolean },
): Promise<Changed> {
  if (was !== banned) await changeAccount(tx, id, { banned });
  if (banned) await endAccess(tx, id);
  const jobs = takesLines && (await orderLineJobs(tx, ctx, banned ? 'suspend' : 'resume', id));
  const { lines, job_ids } = jobs || { lines: 0, job_ids: [] };
  if (isSo && lines === 0) return { id, job_ids };
  const counted = banned ? { suspended_lines: lines } : { resumed_lines: lines };
  const states = differing({ before: { banned: was }, after: { banned } });
  const entry = { ...states, data: lines > 0 ? counted : {} };
  await auditAccount(tx, auditOriginOf(ctx), `account.${banned ? 'ban' : 'unban'}`, id, entry);
  return { id, job_ids };
}

export const previewBan: Action<typeof contract.previewBan> = async ({ db, actor }, { params }) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  return countBannedLines(db, actor, id);
};

/**
 * Bans an account and, if requested, suspends its lines and those of the accounts below it by a job. Its event streams
 * are ended by triggers of the database.
 */
export const banAccount: Mutation<typeof contract.banAccount, Changed> = {
  audit: {
    auditsItself: 'unless it was banned so before and no line goes with it',
    isUncounted:
      'lifting a ban is counted, and an account that uses up the day must not prevent this',
  },
  // Sales of the account are waited for, so that the ban finds the lines that are just being sold.
  lessens: async (_, { actor }, { params: { id } }) =>
    id === actor.id ? [] : [{ account_id: id }],
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { actor } = ctx;
    await lockIfAdmin(tx, id);
    const account = await lockOtherAccount(tx, actor, id);
    if (!hasPermissionsOf(actor, account)) fail('FORBIDDEN');
    if (account.is_admin) requireSession(ctx);
    const isSo = account.banned && (await isBannedAsStrongly(tx, actor, id));
    if (account.is_admin) await checkAdminRemains(tx, id);
    return setBanned(tx, ctx, account, { banned: true, takesLines: body.suspend_lines, isSo });
  },
  reply,
};

export const unbanAccount: Mutation<typeof contract.unbanAccount, Changed> = {
  audit: { auditsItself: 'unless it was not banned and no line goes with it' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const account = await lockOtherAccount(tx, ctx.actor, id);
    if (account.is_admin) requireSession(ctx);
    if (await isBannedFromAbove(tx, ctx.actor, id)) fail('BANNED_FROM_ABOVE');
    const isSo = !account.banned;
    return setBanned(tx, ctx, account, { banned: false, takesLines: body.resume_lines, isSo });
  },
  reply,
};
