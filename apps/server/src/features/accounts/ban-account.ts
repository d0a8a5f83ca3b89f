import type * as contract from '@linekeeper/contract/accounts/bans.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import {
  checkAdminRemains,
  hasPermissionsOf,
  lockIfAdmin,
  lockOtherAccount,
  outranks,
  requireSession,
} from '../../domain/accounts/account-policy.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { isBannedFromAbove, unliftedBans } from '../../domain/accounts/bans.ts';
import { endAccess } from '../../domain/accounts/sessions.ts';
import { auditOriginOf, differing, type Fields, writeAudit } from '../../domain/audit/audit.ts';
import { accountScope, type SignedIn } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { countBannedLines, orderLineJobs } from './banned-lines.ts';

interface Changed {
  id: string;
  /** Of the lines that go with it. */
  job_ids: string[];
}

async function setBanned(tx: Tx, id: string, banned: boolean): Promise<void> {
  await tx
    .updateTable('auth_users')
    .set({ banned, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('banned', '!=', banned)
    .execute();
}

/** A ban from further above is one more: who banned first can no longer lift it. */
async function isBannedAsStrongly(tx: Tx, { id: actorId }: SignedIn, id: string): Promise<boolean> {
  const asStrong = await unliftedBans(tx, id)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('ban.actor_id', '=', actorId),
        outranks('ban.actor_id', actorId),
        exists(
          selectFrom('auth_users as banning')
            .select('banning.id')
            .whereRef('banning.id', '=', 'ban.actor_id')
            .where('banning.is_admin', '=', true),
        ),
      ]),
    )
    .executeTakeFirst();
  return asStrong !== undefined;
}

async function audit(
  tx: Tx,
  ctx: Ctx,
  action: 'account.ban' | 'account.unban',
  subject_id: string,
  states: Parameters<typeof differing>[0],
  data: Fields,
): Promise<void> {
  const entry = { action, subject_type: 'account' as const, subject_id };
  await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, ...differing(states), data }]);
}

async function reply({ db, actor }: Ctx, { id, job_ids }: Changed) {
  return { account: await findAccountFor(db, actor, id), job_ids };
}

const nothing = { job_ids: [], lines: 0 };

export const previewBan: Action<typeof contract.previewBan> = async ({ db, actor }, { params }) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  return countBannedLines(db, actor, id);
};

/** Streams end by the triggers of the session's and the account's rows. */
export const banAccount: Mutation<typeof contract.banAccount, Changed> = {
  audit: {
    auditsItself: 'unless it was banned so before and no line goes with it',
    isUncounted:
      'lifting a ban is counted, and an account that uses up the day must not prevent this',
  },
  // Lines that the account is selling are there when those to suspend are looked for.
  lessens: async (_, { actor }, { params: { id } }) =>
    id === actor.id ? [] : [{ account_id: id }],
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { actor } = ctx;
    await lockIfAdmin(tx, id);
    const account = await lockOtherAccount(tx, actor, id);
    if (!hasPermissionsOf(actor, account)) fail('FORBIDDEN');
    const { is_admin, banned } = account;
    if (is_admin) requireSession(ctx);
    const isSo = banned && (await isBannedAsStrongly(tx, actor, id));
    if (is_admin) await checkAdminRemains(tx, id);
    await setBanned(tx, id, true);
    await endAccess(tx, id);
    const jobs = body.suspend_lines ? await orderLineJobs(tx, ctx, actor, 'suspend', id) : nothing;
    const data = jobs.lines > 0 ? { suspended_lines: jobs.lines } : {};
    const states = { before: { banned }, after: { banned: true } };
    if (!isSo || jobs.lines > 0) await audit(tx, ctx, 'account.ban', id, states, data);
    return { id, job_ids: jobs.job_ids };
  },
  reply,
};

export const unbanAccount: Mutation<typeof contract.unbanAccount, Changed> = {
  audit: { auditsItself: 'unless it was not banned and no line goes with it' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { actor } = ctx;
    const { is_admin, banned } = await lockOtherAccount(tx, actor, id);
    if (is_admin) requireSession(ctx);
    if (await isBannedFromAbove(tx, actor, id)) fail('BANNED_FROM_ABOVE');
    await setBanned(tx, id, false);
    const jobs = body.resume_lines ? await orderLineJobs(tx, ctx, actor, 'resume', id) : nothing;
    const data = jobs.lines > 0 ? { resumed_lines: jobs.lines } : {};
    const states = { before: { banned }, after: { banned: false } };
    if (banned || jobs.lines > 0) await audit(tx, ctx, 'account.unban', id, states, data);
    return { id, job_ids: jobs.job_ids };
  },
  reply,
};
