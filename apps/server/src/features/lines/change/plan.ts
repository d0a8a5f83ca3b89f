import { isDeepStrictEqual } from 'node:util';
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { LineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Fields } from '../../../domain/audit/audit.ts';
import type { SoldTerm } from '../../../domain/credits/charge.ts';
import { changedReceiverLines, type ServersById } from '../../../domain/lines/changed-addresses.ts';
import { changedDetailColumns } from '../../../domain/lines/line-details.ts';
import { fail, fieldRefusal, type Refusal, refusal } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';
import { keepSuspension } from './suspension.ts';

/**
 * The plan for one line: the fields that change, with old and new values, and as `receivers` the new settings of the
 * customer's receiver. It is kept in the item of a job, from which an undo restores the old values.
 */
export interface Plan {
  before: Fields | null;
  /** The new values; null if the line is deleted. */
  after: Fields | null;
  /** Credits to pay, below 0 if they are refunded; 0 for administrators. */
  cost: number;
  /** The term that the cost pays for; undefined if no term is sold. */
  term?: SoldTerm | undefined;
  /** Payments that are refunded, because `term` is paid instead of them. */
  refunds?: readonly string[];
}

const same = (one: unknown, other: unknown) => isDeepStrictEqual(one ?? null, other ?? null);

/**
 * The fields of `changes` that differ from the line's. If the line is reached at another address or protocol
 * afterwards, `receivers` has the settings of the customer's receiver at these servers; null if they stay.
 */
export function changedFields(
  line: ChangeableLine,
  changes: LineUpdate,
  servers: ServersById = new Map(),
): { before: Fields; after: Fields } {
  const now: Fields = { ...line };
  const changed = Object.entries(changes).filter(([field, value]) => !same(now[field], value));
  const before: Fields = Object.fromEntries(changed.map(([field]) => [field, now[field]]));
  const after: Fields = Object.fromEntries(changed);
  const entered = changedReceiverLines(servers, line, { ...line, ...changes });
  if (entered !== undefined) {
    before.receivers = entered?.old_lines ?? null;
    after.receivers = entered?.new_lines ?? null;
  }
  return { before, after };
}

/** Returns the planned change. Throws ALREADY_SO if no field of it differs from the present value. */
export function refuseUnchanged<Changed extends { after: Fields }>(changed: Changed): Changed {
  return Object.keys(changed.after).length > 0 ? changed : fail('ALREADY_SO');
}

/**
 * The plan of new values that cost nothing. Throws ALREADY_SO, and NOT_BY_STATUS if a status would suspend or resume the
 * line.
 */
export function planChange(
  line: ChangeableLine,
  requested: LineUpdate,
  servers?: ServersById,
): Plan {
  const changes = keepSuspension(line, requested);
  return { ...refuseUnchanged(changedFields(line, changes, servers)), cost: 0 };
}

export function planDeletion(line: ChangeableLine): Plan {
  const { expiry_date, owner_id, server_id, plan_id } = line;
  // The plan is kept, because it determines the line's other servers.
  const plan = plan_id === STANDARD_PLAN ? {} : { plan_id };
  return { before: { expiry_date, owner_id, server_id, ...plan }, after: null, cost: 0 };
}

const describing = ['status', 'host_port', 'protocol', 'sharing_exempt'] as const;

/** The columns of those changed fields that only describe the line. */
export function descriptiveUpdate(changes: LineChanges): LineUpdate {
  const given = describing.filter((name) => changes[name] !== undefined);
  return {
    ...changedDetailColumns(changes),
    ...Object.fromEntries(given.map((name) => [name, changes[name]])),
  };
}

/** The fields of the line in the state before or after a job's item. */
export function lineFields({ receivers: _, ...fields }: Fields): Fields {
  return fields;
}

/** True if the line still has the values that the job gave it. */
export function isUnchanged(line: ChangeableLine, after: Fields): boolean {
  const now: Fields = { ...line };
  return Object.entries(lineFields(after)).every(([field, value]) => same(now[field], value));
}

/** The reason why a line is not changed, without data that only a form needs. */
export function itemError({ body }: Refusal): JobItemError {
  const { field_codes, ...data } = body.data;
  return { code: body.code, data, field: Object.keys(field_codes ?? {})[0] ?? null };
}

/** The refusal of one change, from the stored error of an item. */
export function refusalOf({ code, data, field }: JobItemError): Refusal {
  return field === null
    ? refusal(code as ErrorCode, data)
    : fieldRefusal(field, code as ErrorCode, data);
}
