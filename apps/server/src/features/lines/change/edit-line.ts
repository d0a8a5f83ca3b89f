import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import type { Fields } from '../../../domain/audit/audit.ts';
import { lineScope, visibleTo } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { refuseUnpaid } from '../../../domain/credits/balance.ts';
import { readReached } from '../../../domain/lines/changed-addresses.ts';
import { flatDetails } from '../../../domain/lines/line-details.ts';
import { changePayment } from '../../../domain/lines/payments.ts';
import { lookAgain } from '../../../domain/machines/agent-reports.ts';
import { openDriver } from '../../../domain/machines/open-driver.ts';
import { type Mutation, Unkept } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { readPayer } from '../price/price.ts';
import { carryOut, carryOutOne, type PlannedLine } from './carry-out.ts';
import { planChanger } from './change-plan.ts';
import {
  auditedChange,
  type CommittedChange,
  committedChange,
  replyWithSync,
} from './committed-change.ts';
import { type LineUpdate, type LockedLine, lockLine } from './locked-line.ts';
import { prepareMove } from './move.ts';
import { changedFields, descriptiveUpdate, lineFields, type Plan } from './plan.ts';
import { planRenewal } from './renewal.ts';
import { keepSuspension } from './suspension.ts';

/** The new password, encrypted. */
function newPassword({ secrets }: Ctx, line: LockedLine, wanted: string | undefined): LineUpdate {
  const isSame = wanted === undefined || secrets.open(line.password, line.id) === wanted;
  return isSame ? {} : { password: secrets.seal(wanted, line.id) };
}

/**
 * The new name. A name that differs only in Unicode normalisation keeps its old bytes, because the
 * subscriber's device sends those.
 */
function newName({ username }: LockedLine, wanted: string | undefined): LineUpdate {
  const isSame = wanted === undefined || wanted === username.normalize('NFC');
  return isSame ? {} : { username: wanted, is_name_twin: false };
}

/** Throws ABOVE_ONLY_FIELD: an account whose lines may be suspended for sharing cannot exempt them from it. */
function refuseOwnExemption({ actor }: Ctx, line: LockedLine, wanted: boolean | undefined): void {
  const isChanged = wanted !== undefined && wanted !== line.sharing_exempt;
  if (isChanged && !actor.is_admin && actor.id === line.owner_id) {
    failField('sharing_exempt', 'ABOVE_ONLY_FIELD');
  }
}

/**
 * The plan for the new values of one line. Throws ABOVE_ONLY_FIELD, NOT_BY_STATUS, INSUFFICIENT_CREDITS before a new
 * name could reveal other lines, and the errors of `planRenewal`, `planChanger` and `prepareMove`.
 */
async function planEdit(tx: Tx, ctx: Ctx, line: LockedLine, changes: LineChanges): Promise<Plan> {
  refuseOwnExemption(ctx, line, changes.sharing_exempt);
  const { expiry_date = line.expiry_date } = changes;
  // The form of one line shows its date, so an earlier date is intended.
  const asked = { expiry_date, may_shorten: true };
  const isDateChanged = expiry_date !== line.expiry_date;
  const renewal = isDateChanged ? planRenewal(line, asked, await readPayer(tx, ctx)) : null;
  const name = newName(line, changes.username);
  if (name.username !== undefined) await refuseUnpaid(tx, ctx.actor, renewal?.cost ?? 0);
  const { plan_id = line.plan_id, server_id } = changes;
  const isPlanChanged = plan_id !== line.plan_id;
  if (isPlanChanged && !ctx.actor.is_admin) failField('plan_id', 'ADMIN_ONLY_FIELD');
  const plan = isPlanChanged
    ? await (await planChanger(tx, ctx, { plan_id, server_id }, [line]))(line)
    : null;
  const moved = isPlanChanged ? { ...changes, server_id: undefined } : changes;
  const move = await prepareMove(tx, ctx.actor, moved, [line]);
  const servers = plan ? await readReached(tx) : move.serversFor(line);
  const edited: LineUpdate = {
    ...lineFields(plan?.after ?? {}),
    ...move.changesOf(line),
    ...name,
    ...newPassword(ctx, line, changes.password),
    ...renewal?.after,
    // These fields come last, because a status in the request overrides the one that a later date causes.
    ...keepSuspension(line, descriptiveUpdate(changes)),
  };
  return { cost: 0, ...renewal, ...changedFields(line, edited, servers) };
}

/** The fields that a move changes and its undo restores, with the settings of the customer's receiver. */
const ofMove = ['server_id', 'plan_id', 'owner_id', 'host_port', 'protocol', 'receivers'] as const;
const onlyOfMove = (fields: Fields | null): Fields =>
  Object.fromEntries(ofMove.map((name) => [name, fields?.[name]]));

/** Makes the planned edit; only its move to another server, if there is one, is stored as a job. */
function carryOutEdit(tx: Tx, ctx: Ctx, planned: PlannedLine, quoted_cost: number | undefined) {
  const [before, after] = [onlyOfMove(planned.plan.before), onlyOfMove(planned.plan.after)];
  const { server_id, owner_id } = after;
  const job = server_id ? { action: 'move' as const, arguments: { server_id, owner_id } } : null;
  return carryOutOne(tx, ctx, planned, quoted_cost, job, { before, after, cost: 0 });
}

/** Milliseconds to wait for an agent; that is enough, because the old row stays until the new name is accepted. */
const LOOK_MS = 2000;

/**
 * Checks a new name for an account of the operator before the line gets it. An agent lists all such names, unless there
 * are many; in that case, and with OSCam's web interface, the server is asked about this name. Throws USERNAME_EXISTS.
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
  // An account that the panel is about to remove belongs to the panel, too.
  if (isTaken && !(await isOfPanel(ctx.db, server.id, username))) {
    failField('username', 'USERNAME_EXISTS');
  }
}

async function isOfPanel(db: Db, server_id: string, username: string): Promise<boolean> {
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
    // The names of changed fields are listed, because the states before and after do not contain the password.
    data: ({ body }, { line, cost }) => ({
      username: line.username,
      fields: Object.keys(flatDetails(body)).filter(
        (field) => field !== 'quoted_cost' && field !== 'payment',
      ),
      cost,
    }),
  },
  prepare: async (ctx, { params, body: { username } }) => {
    if (username !== undefined && !ctx.actor.is_admin) {
      await lookForName(ctx, params.id, username);
    }
  },
  commit: async (tx, ctx, { params, body: { quoted_cost, payment, ...body } }) => {
    const line = await lockLine(tx, lineScope(ctx.actor), params.id);
    const isEmpty = Object.keys(body).length === 0;
    if (payment) await changePayment(tx, ctx.actor, line, payment);
    if (isEmpty) {
      const unchanged = await committedChange(tx, ctx, line.id, await carryOut(tx, ctx, []));
      return payment ? new Unkept(unchanged) : unchanged;
    }
    const planned = { line, plan: await planEdit(tx, ctx, line, body) };
    const carried = await carryOutEdit(tx, ctx, planned, quoted_cost);
    const changed = await committedChange(tx, ctx, line.id, carried);
    // The audit log, which administrators read, has nothing of a seller's book.
    const isOnlyPaid = payment && Object.keys(planned.plan.after ?? {}).length === 0;
    return isOnlyPaid ? new Unkept(changed) : changed;
  },
  reply: replyWithSync,
};
