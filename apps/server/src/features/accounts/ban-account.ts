import * as contract from '@linekeeper/contract/accounts/bans.ts';
import { sql } from 'kysely';
import { accountScope } from '../../core/access.ts';
import { findAccount } from '../../core/accounts/accounts.ts';
import { checkAdminStays, lockOtherAccount, withPowersNow } from '../../core/accounts/powers.ts';
import { endAccess } from '../../core/accounts/sessions.ts';
import { accountSubject } from '../../core/audit/audit-subjects.ts';
import type { Ctx } from '../../core/context.ts';
import { bulkQueue } from '../../core/jobs/bulk-queue.ts';
import type { Action, Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { countBannedLines, orderLineJobs } from './banned-lines.ts';

interface Changed {
  id: string;
  /** Of the lines that go with it. */
  job_ids: string[];
  lines: number;
}

async function setBanned(tx: Tx, id: string, banned: boolean): Promise<void> {
  await tx
    .updateTable('auth_users')
    .set({ banned, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('banned', '!=', banned)
    .execute();
}

async function reply({ db, actor, jobQueue }: Ctx, { id, job_ids }: Changed) {
  if (job_ids.length > 0) jobQueue.wake(bulkQueue);
  return { account: await findAccount(db, accountScope(actor), id), job_ids };
}

const nothing = { job_ids: [], lines: 0 };

export const previewBan: Action<typeof contract.previewBan> = async ({ db, actor }, { params }) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  return countBannedLines(db, actor, id);
};

/** Streams end by the triggers of the session's and the account's rows. */
export const banAccount: Mutation<typeof contract.banAccount, Changed> = {
  audit: {
    action: 'account.ban',
    subject: accountSubject,
    of: ({ params }) => params.id,
    data: (_, { lines }): Record<string, number> => (lines > 0 ? { suspended_lines: lines } : {}),
  },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const actor = await withPowersNow(tx, ctx.actor, contract.banAccount.access);
    const { is_admin } = await lockOtherAccount(tx, actor, id);
    if (is_admin) await checkAdminStays(tx, id);
    await setBanned(tx, id, true);
    await endAccess(tx, id);
    const jobs = body.suspend_lines ? await orderLineJobs(tx, ctx, actor, 'suspend', id) : nothing;
    return { id, ...jobs };
  },
  reply,
};

export const unbanAccount: Mutation<typeof contract.unbanAccount, Changed> = {
  audit: {
    action: 'account.unban',
    subject: accountSubject,
    of: ({ params }) => params.id,
    data: (_, { lines }): Record<string, number> => (lines > 0 ? { resumed_lines: lines } : {}),
  },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const actor = await withPowersNow(tx, ctx.actor, contract.unbanAccount.access);
    await lockOtherAccount(tx, actor, id);
    await setBanned(tx, id, false);
    const jobs = body.resume_lines ? await orderLineJobs(tx, ctx, actor, 'resume', id) : nothing;
    return { id, ...jobs };
  },
  reply,
};
