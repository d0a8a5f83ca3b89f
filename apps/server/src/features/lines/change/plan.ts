import type { BulkEditField } from '@linekeeper/contract/lines/bulk.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Fields } from '../../../domain/audit/audit.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { changedLines } from '../../../domain/lines/changed-addresses.ts';
import { refuseUnfitChange } from '../../../domain/lines/sent-names.ts';
import {
  chooseServer,
  lockFreeCapacity,
  type Reached,
  reachedColumns,
} from '../../../domain/machines/servers.ts';
import { failField, type Refusal } from '../../../platform/errors/refusal.ts';
import { type ActingAccount, checkDays, checkMonths } from '../price/price.ts';
import { type Move, reachedAt, refuseMoveByOthers } from './assign-line.ts';
import { differences, same, withReceivers } from './differences.ts';
import { descriptiveUpdate } from './edit-line.ts';
import { planExtension } from './extend-line.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';
import { type BulkRenewal, refuseLeftOut } from './named-kinds.ts';
import { chooseOwner } from './owner.ts';
import { keepSuspension, resumedColumns, suspendedColumns, suspensionGuard } from './suspension.ts';

/** The planned change of one line: the changing fields with old and new values. */
export interface Plan {
  before: Fields | null;
  after: Fields | null;
  cost: number;
}

/** One row of a request before anything is done. */
export interface PlannedItem extends Plan {
  line_id: string | null;
  username: string;
  /** null if the row can be done. */
  error: JobItemError | null;
  input: Fields | null;
}

/** The action of a job that changes lines, with its parameters. */
export type Work =
  | ({ action: 'renew' } & BulkRenewal)
  | ({ action: 'edit' } & Pick<LineChanges, BulkEditField | 'status'>)
  | ({ action: 'move' } & Move)
  | { action: 'suspend' | 'resume'; reason?: string | undefined; ban_of?: string | undefined }
  | { action: 'delete' }
  | { action: 'export' };

export type Planner = (line: ChangeableLine) => Plan | Promise<Plan>;

/** The fields of the line in the state before or after a job's row. */
export function lineFields({ receivers: _, ...fields }: Fields): Fields {
  return fields;
}

export async function planRenewal(
  tx: Tx,
  acting: ActingAccount,
  line: ChangeableLine,
  requested: BulkRenewal,
): Promise<{ plan: Plan; term: SoldTerm }> {
  if (requested.days !== undefined) refuseLeftOut(line, requested, acting.today());
  const extended = await planExtension(tx, acting, line, requested);
  const { cost, months, expiry_date, changes } = extended;
  return {
    plan: { ...differences(line, changes), cost: acting.actor.is_admin ? 0 : cost },
    term: { months, expiry_date },
  };
}

export function planDeletion({ expiry_date, owner_id, server_id }: ChangeableLine): Plan {
  return { before: { expiry_date, owner_id, server_id }, after: null, cost: 0 };
}

async function readLeft(tx: Tx): Promise<Map<string, Reached>> {
  const servers = await tx
    .selectFrom('cccam_servers')
    .select(['id', ...reachedColumns])
    .execute();
  return new Map(servers.map((server) => [server.id, server]));
}

/** The preview of a move whose target is still to be chosen. */
const whereItIs: Planner = ({ server_id, host_port }) => ({
  before: { server_id, host_port },
  after: null,
  cost: 0,
});

/** Refuses an invalid target; it is looked up once for all lines. */
async function moves(tx: Tx, { actor }: ActingAccount, move: Move): Promise<Planner> {
  refuseMoveByOthers(actor, move);
  if (move.owner_id === undefined && move.server_id === undefined) return whereItIs;
  if (move.owner_id !== undefined) await chooseOwner(tx, actor, move.owner_id);
  const target =
    move.server_id === undefined
      ? undefined
      : await chooseServer(tx, move.server_id, 'NO_ACTIVE_CCCAM_SERVERS');
  const servers = target ? await readLeft(tx) : undefined;
  let capacity = target ? await lockFreeCapacity(tx, target) : 0;
  return async (line) => {
    const left = target && target.id !== line.server_id && servers?.get(line.server_id);
    if (left) {
      const after = { username: line.username, server_id: target.id };
      await refuseUnfitChange(tx, line, after, { except: ['held'] });
    }
    if (left && capacity <= 0) failField('server_id', 'SERVER_FULL', { left: 0 });
    if (left) capacity--;
    const owner = move.owner_id === undefined ? {} : { owner_id: move.owner_id };
    if (!left) return { ...differences(line, owner), cost: 0 };
    const reached = reachedAt(line, left, target);
    const moved = differences(line, { ...owner, server_id: target.id, ...reached });
    const changed = changedLines(left, target, line.host_port, reached.host_port);
    return { ...withReceivers(moved, changed), cost: 0 };
  };
}

/** Addresses of their own are what customers enter, so that they are told like those of a move. */
async function edits(tx: Tx, changes: LineUpdate): Promise<Planner> {
  const { host_port } = changes;
  const servers = host_port === undefined ? undefined : await readLeft(tx);
  return (line) => {
    const edited = differences(line, keepSuspension(line, changes));
    const server = servers?.get(line.server_id);
    if (!server || host_port === undefined) return { ...edited, cost: 0 };
    const changed = changedLines(server, server, line.host_port, host_port as string[]);
    return { ...(changed ? withReceivers(edited, changed) : edited), cost: 0 };
  };
}

/** The columns that suspending or resuming a line changes. */
export function suspension(
  { actor, today }: ActingAccount,
  { action, reason, ban_of }: Extract<Work, { action: 'suspend' | 'resume' }>,
): (line: ChangeableLine) => LineUpdate {
  // A ban leaves alone what was suspended otherwise, and lifting it what was suspended since.
  const isMeant = ({ suspension: stored }: ChangeableLine) =>
    action === 'suspend'
      ? stored === null || stored.until !== undefined
      : stored?.ban_of === ban_of;
  return (line) => {
    if (ban_of !== undefined && !isMeant(line)) return {};
    return action === 'suspend'
      ? suspendedColumns(line, actor.id, reason, ban_of)
      : resumedColumns(line, today());
  };
}

/** Returns a function that plans one line. Throws if the request as a whole is refused. */
export async function plannerOf(tx: Tx, acting: ActingAccount, work: Work): Promise<Planner> {
  switch (work.action) {
    case 'renew':
      checkMonths(acting.actor, work.subscription_months);
      checkDays(acting.actor, work.days);
      return async (line) => {
        refuseLeftOut(line, work, acting.today());
        return (await planRenewal(tx, acting, line, work)).plan;
      };
    case 'edit':
      return edits(tx, descriptiveUpdate(work));
    case 'move':
      return moves(tx, acting, work);
    case 'suspend':
    case 'resume': {
      const columnsOf = suspension(acting, work);
      const refuseToOverrule = suspensionGuard(tx, acting.actor);
      return async (line) => {
        await refuseToOverrule(line);
        return { ...differences(line, columnsOf(line)), cost: 0 };
      };
    }
    case 'delete':
      return planDeletion;
    case 'export':
      return () => ({ before: null, after: null, cost: 0 });
  }
}

/** The reason why a line is not changed, without data that only a form needs. */
export function itemError({ body }: Refusal): JobItemError {
  const { field_codes, ...data } = body.data;
  return { code: body.code, data, field: Object.keys(field_codes ?? {})[0] ?? null };
}

/** True if the line is exactly as the job left it. */
export function isUnchanged(line: ChangeableLine, after: Fields): boolean {
  const now = line as unknown as Fields;
  return Object.entries(lineFields(after)).every(([field, value]) => same(now[field], value));
}
