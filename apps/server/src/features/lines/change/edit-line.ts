import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { lineScope, visibleTo } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readBalance, refuseUnpaid } from '../../../domain/credits/balance.ts';
import { charge } from '../../../domain/credits/charge.ts';
import { pushesOf, settle } from '../../../domain/delivery/settle.ts';
import {
  changedReceiverLines,
  isReplaced,
  notifyOwnerOfLine,
  readReached,
} from '../../../domain/lines/changed-addresses.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { lookAgain } from '../../../domain/machines/agent-reports.ts';
import { openDriver } from '../../../domain/machines/open-driver.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { findLine } from '../list/store.ts';
import { countNewTrials } from '../price/trial-limits.ts';
import { type Assignment, assignLine } from './assign-line.ts';
import { storeChanges } from './change-row.ts';
import { planExtension } from './extend-line.ts';
import { type LineUpdate, type LockedLine, lockLine } from './locked-line.ts';
import { descriptiveUpdate, differing, withReceivers } from './plan.ts';
import { auditedChange, type CommittedChange, replyWithSync } from './reply-with-sync.ts';
import { keepSuspension } from './suspension.ts';

/** The encrypted new password; undefined if it is unchanged. */
function newPassword({ secrets }: Ctx, line: LockedLine, password: string | undefined) {
  if (password === undefined || secrets.open(line.password, line.id) === password) return undefined;
  return secrets.seal(password, line.id);
}

/** Only a changed date costs credits. */
async function priceNewDate(tx: Tx, ctx: Ctx, line: LockedLine, expiry_date: string | undefined) {
  if (expiry_date === undefined || expiry_date === line.expiry_date) return undefined;
  // Who edits the date of one line sees the one before.
  return planExtension(tx, ctx, line, { expiry_date, may_shorten: true });
}

/**
 * The new name. A name that differs only in Unicode normalisation keeps its old bytes, because the
 * subscriber's device sends those.
 */
function newName({ username }: LockedLine, wanted: string | undefined): LineUpdate {
  const isSame = wanted === undefined || wanted === username.normalize('NFC');
  return isSame ? {} : { username: wanted, is_name_twin: false };
}

/** Whoever may be suspended for sharing cannot except their own lines from it. */
function refuseOwnExemption({ actor }: Ctx, line: LockedLine, wanted: boolean | undefined): void {
  const isChanged = wanted !== undefined && wanted !== line.sharing_exempt;
  if (isChanged && !actor.is_admin && actor.id === line.owner_id) {
    failField('sharing_exempt', 'ABOVE_ONLY_FIELD');
  }
}

async function changeLine(tx: Tx, ctx: Ctx, line: LockedLine, changes: LineChanges) {
  refuseOwnExemption(ctx, line, changes.sharing_exempt);
  const priced = await priceNewDate(tx, ctx, line, changes.expiry_date);
  const password = newPassword(ctx, line, changes.password);
  const name = newName(line, changes.username);
  if (name.username !== undefined) await refuseUnpaid(tx, ctx.actor, priced?.cost ?? 0);
  const { username } = { ...line, ...name };
  const assignment = await assignLine(tx, ctx.actor, line, changes);
  const { server_id } = assignment;
  const change = {
    line,
    changes: {
      ...assignment,
      ...name,
      ...(password === undefined ? {} : { password }),
      ...priced?.changes,
      // Last, because a status given explicitly overrides the one that follows from a later date.
      ...keepSuspension(line, descriptiveUpdate(changes)),
    },
  };
  await storeChanges(tx, [change], { actor: ctx.actor });
  if (line.is_trial && name.username !== undefined) {
    await countNewTrials(tx, ctx, [{ id: line.id, username, server_id }]);
  }
  const sold = priced ? [{ kind: 'renewal' as const, ...priced, line_id: line.id, username }] : [];
  const { cost } = await charge(tx, ctx.actor, sold);
  const pushes = pushesOf(await settle(tx, [line.id], { again: password !== undefined }));
  const job_id = await recordMove(tx, ctx, { ...line, username }, change.changes);
  return { cost, pushes, job_id };
}

/**
 * Keeps the move of one line as a job, so that it is undone and its customer told like those of any other, and notifies
 * its owner of what the customer must enter now. Returns the job's id; null where the line stays on its server.
 */
async function recordMove(
  tx: Tx,
  ctx: Ctx,
  line: LockedLine,
  { server_id, owner_id, host_port, protocol }: Assignment,
): Promise<string | null> {
  const moved = { server_id, owner_id, host_port, protocol };
  const servers = isReplaced(line, moved) ? await readReached(tx) : new Map();
  const changed = changedReceiverLines(servers, line, moved);
  const { id: line_id, username } = line;
  const differences = differing(line, moved);
  const target = { server_id, ...(differences.after.owner_id ? { owner_id } : {}) };
  const job_id =
    server_id === line.server_id
      ? null
      : await insertDoneJob(
          tx,
          ctx,
          { action: 'move', arguments: target },
          { ...withReceivers(differences, changed ?? null), line_id, username },
        );
  const owned = { id: line_id, username, owner_id, server_id };
  await notifyOwnerOfLine(tx, ctx.actor.id, owned, changed, job_id);
  return job_id;
}

/** No longer wait for an agent is needed, because the old row stays until the new name is taken. */
const LOOK_MS = 2000;

/**
 * A name of the operator's own is refused before the line gets it. An agent tells all of them, unless there are many; of
 * these and of an OSCam's, this one is asked for. Throws USERNAME_EXISTS.
 */
async function lookForName(ctx: Ctx, line_id: string, username: string): Promise<void> {
  const server = await ctx.db
    .selectFrom('cccam_servers')
    .innerJoin('users', 'users.server_id', 'cccam_servers.id')
    .selectAll('cccam_servers')
    .where('users.id', '=', line_id)
    .where(visibleTo(lineScope(ctx.actor), 'users.owner_id'))
    .where('cccam_servers.status', '=', 'active')
    .executeTakeFirst();
  if (!server) return;
  if (server.kind === 'api' && server.names_by_hand !== null) {
    return lookAgain(ctx, server, LOOK_MS);
  }
  const driver = openDriver(ctx, server, { deadlineMs: LOOK_MS });
  const isTaken = await driver.isByHand(username, ctx.stopping.signal);
  // One that is about to be removed is the panel's.
  if (isTaken && !(await isLeavingServer(ctx.db, server.id, username))) {
    failField('username', 'USERNAME_EXISTS');
  }
}

async function isLeavingServer(db: Db, server_id: string, username: string): Promise<boolean> {
  const account = await db
    .selectFrom('server_accounts')
    .select('username')
    .where('server_id', '=', server_id)
    .where('username', '=', username)
    .executeTakeFirst();
  return account !== undefined;
}

export const editLine: Mutation<typeof contract.editLine, CommittedChange> = {
  audit: {
    ...auditedChange,
    action: 'line.edit',
    // Lists changed fields, because the states before and after do not contain the password.
    data: ({ body }, { line, cost }) => ({
      username: line.username,
      fields: Object.keys(body),
      cost,
    }),
  },
  prepare: async (ctx, { params, body: { username } }) => {
    if (username !== undefined && !ctx.actor.is_admin) {
      await lookForName(ctx, params.id, username);
    }
  },
  commit: async (tx, ctx, { params, body }) => {
    const { actor } = ctx;
    const line = await lockLine(tx, lineScope(actor), params.id);
    const changed =
      Object.keys(body).length > 0
        ? await changeLine(tx, ctx, line, body)
        : { cost: 0, pushes: [], job_id: null };
    return {
      line: await findLine(tx, lineScope(actor), line.id),
      credits: await readBalance(tx, actor.id),
      ...changed,
    };
  },
  reply: replyWithSync,
};
