import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { BulkEditField } from '@linekeeper/contract/lines/bulk.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import { LAST_DAY } from '@linekeeper/contract/pricing.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Fields } from '../../../domain/audit/audit.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import {
  type ChangedLines,
  changedReceiverLines,
  readReached,
  type ServersById,
} from '../../../domain/lines/changed-addresses.ts';
import { changedDetailColumns } from '../../../domain/lines/line-details.ts';
import { refuseUnfitChange } from '../../../domain/lines/sent-names.ts';
import {
  fail,
  failField,
  fieldRefusal,
  type Refusal,
  refusal,
} from '../../../platform/errors/refusal.ts';
import {
  type ActingAccount,
  checkDays,
  checkMonths,
  type Payer,
  type RequestedDuration,
  readPayer,
  termOfRenewal,
} from '../price/price.ts';
import { type Move, planMove } from './assign-line.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';
import { type BulkRenewal, refuseLeftOut } from './renewal.ts';
import {
  active,
  keepSuspension,
  resumedColumns,
  suspendedColumns,
  suspensionGuard,
} from './suspension.ts';

const same = (one: unknown, other: unknown) => isDeepStrictEqual(one ?? null, other ?? null);

interface Differences {
  before: Fields;
  after: Fields;
}

/** The fields of `changes` that differ from the line's. */
export function differing(line: Partial<ChangeableLine>, changes: LineUpdate): Differences {
  const now = line as unknown as Fields;
  const changed = Object.entries(changes).filter(([field, value]) => !same(now[field], value));
  return {
    before: Object.fromEntries(changed.map(([field]) => [field, now[field]])),
    after: Object.fromEntries(changed),
  };
}

/** Throws ALREADY_SO if nothing differs. */
export function refuseUnchanged<Changed extends Differences>(changed: Changed): Changed {
  return Object.keys(changed.after).length > 0 ? changed : fail('ALREADY_SO');
}

/** With what the customer enters, which is no field of the line; null where that stays. */
export function withReceivers(
  { before, after }: Differences,
  changed: ChangedLines | null,
): Differences {
  return {
    before: { ...before, receivers: changed?.old_lines ?? null },
    after: { ...after, receivers: changed?.new_lines ?? null },
  };
}

/** The planned change of one line: the changing fields with old and new values. */
export interface Plan {
  before: Fields | null;
  after: Fields | null;
  /** Credits; 0 for administrators. */
  cost: number;
  /** What is paid for. */
  term?: SoldTerm;
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

type RenewableLine = Pick<
  ChangeableLine,
  'expiry_date' | 'status' | 'is_trial' | 'subscription_months'
>;

/**
 * The plan of more time for a line, or of less if that is said; `before` and `after` are empty if it has that already.
 * Paid time ends a trial, days for nothing do not. What was expired by its label works again with either. Throws
 * WOULD_SHORTEN, EXPIRY_TOO_LATE, and what `termOfRenewal` throws.
 */
export function planRenewal(line: RenewableLine, requested: RequestedDuration, payer: Payer) {
  const { subscription_months, days, may_shorten } = requested;
  const term = termOfRenewal(payer, requested, line.expiry_date);
  const { expiry_date, cost } = term;
  if (expiry_date < line.expiry_date && !may_shorten) failField('expiry_date', 'WOULD_SHORTEN');
  const field = subscription_months === undefined ? 'expiry_date' : 'subscription_months';
  if (expiry_date > LAST_DAY) failField(field, 'EXPIRY_TOO_LATE');
  const isPaid = term.months > 0;
  const [first, ...others] = line.status;
  const isExpired = first?.label.toLowerCase() === 'expired';
  const changes = {
    expiry_date,
    ...(isPaid && { is_trial: false }),
    ...(subscription_months !== undefined && { subscription_months }),
    ...(isExpired && (isPaid || days !== undefined) && { status: [active, ...others] }),
  };
  return { ...differing(line, changes), cost, term };
}

export function planDeletion({ expiry_date, owner_id, server_id }: ChangeableLine): Plan {
  return { before: { expiry_date, owner_id, server_id }, after: null, cost: 0 };
}

/**
 * The plan of new values that cost nothing, with what the customer enters then. Throws ALREADY_SO, and NOT_BY_STATUS if a
 * status would suspend or resume the line.
 */
export function planChange(
  line: ChangeableLine,
  requested: LineUpdate,
  servers: ServersById = new Map(),
): Plan {
  const changes = keepSuspension(line, requested);
  const changed = refuseUnchanged(differing(line, changes));
  const entered = changedReceiverLines(servers, line, { ...line, ...changes } as ChangeableLine);
  return { ...(entered === undefined ? changed : withReceivers(changed, entered)), cost: 0 };
}

/** The preview of a move whose target is still to be chosen. */
const whereItIs: Planner = ({ server_id, host_port }) => ({
  before: { server_id, host_port },
  after: null,
  cost: 0,
});

/** Throws what `planMove` throws; a line whose name does not go with the target takes no place there. */
async function moves(
  tx: Tx,
  { actor }: ActingAccount,
  move: Move,
  lines: readonly ChangeableLine[],
): Promise<Planner> {
  const { servers, changesOf } = await planMove(tx, actor, move, lines);
  if (move.owner_id === undefined && move.server_id === undefined) return whereItIs;
  return async (line) => {
    const after = { username: line.username, server_id: move.server_id ?? line.server_id };
    await refuseUnfitChange(tx, line, after, { except: ['held'] });
    return planChange(line, changesOf(line), servers);
  };
}

/** Descriptive columns of a change. */
export function descriptiveUpdate(changes: LineChanges): LineUpdate {
  const { status, host_port, protocol, sharing_exempt } = changes;
  return {
    ...changedDetailColumns(changes),
    ...(status === undefined ? {} : { status }),
    ...(host_port === undefined ? {} : { host_port }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(sharing_exempt === undefined ? {} : { sharing_exempt }),
  };
}

/** Addresses of their own are what customers enter, so that they are told like those of a move. */
async function edits(tx: Tx, changes: LineUpdate): Promise<Planner> {
  const servers = changes.host_port === undefined ? new Map() : await readReached(tx);
  return (line) => planChange(line, changes, servers);
}

/** The columns that suspending or resuming a line changes. */
function suspension(
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

/**
 * Returns a function that plans each of the lines. Throws, for the request as a whole, INVALID_SUBSCRIPTION_MONTHS,
 * ADMIN_ONLY_FIELD, and what `planMove` throws.
 */
export async function plannerOf(
  tx: Tx,
  acting: ActingAccount,
  work: Work,
  lines: readonly ChangeableLine[],
): Promise<Planner> {
  switch (work.action) {
    case 'renew': {
      checkMonths(acting.actor, work.subscription_months);
      checkDays(acting.actor, work.days);
      const payer = await readPayer(tx, acting);
      return (line) => {
        refuseLeftOut(line, work, payer.today);
        return refuseUnchanged(planRenewal(line, work, payer));
      };
    }
    case 'edit':
      return edits(tx, descriptiveUpdate(work));
    case 'move':
      return moves(tx, acting, work, lines);
    case 'suspend':
    case 'resume': {
      const columnsOf = suspension(acting, work);
      const refuseToOverrule = suspensionGuard(tx, acting.actor);
      return async (line) => {
        await refuseToOverrule(line);
        return planChange(line, columnsOf(line));
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

/** The refusal of one change for this reason. */
export function refusalOf({ code, data, field }: JobItemError): Refusal {
  return field === null
    ? refusal(code as ErrorCode, data)
    : fieldRefusal(field, code as ErrorCode, data);
}

/** True if the line is exactly as the job left it. */
export function isUnchanged(line: ChangeableLine, after: Fields): boolean {
  const now = line as unknown as Fields;
  return Object.entries(lineFields(after)).every(([field, value]) => same(now[field], value));
}
