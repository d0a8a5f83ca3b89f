import type { Day } from '@linekeeper/contract/dates.ts';
import {
  isSuspendedLabel,
  type StatusItem,
  SUSPENDED,
  statusColor,
} from '@linekeeper/contract/fields/line-fields.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';

const suspended: StatusItem = { label: SUSPENDED, color: statusColor(SUSPENDED) };
const active: StatusItem = { label: 'active', color: statusColor('active') };

/**
 * The columns of a line once it is suspended: the label takes the place of the first one. One that is
 * suspended already keeps its reason and time where nothing new is said about them.
 */
export function suspendedColumns(
  {
    status: [first = active, ...others],
    suspension,
  }: Pick<ChangeableLine, 'status' | 'suspension'>,
  by_id: string,
  reason: string | undefined,
  ban_of?: string | undefined,
): Required<Pick<LineUpdate, 'status' | 'suspension'>> {
  const isOwn = suspension?.by_id === by_id;
  const next: StoredSuspension = {
    by_id,
    reason: reason || (suspension?.reason ?? null),
    at: isOwn ? suspension.at : new Date().toISOString(),
    label: suspension?.label ?? first,
    ...(ban_of ? { ban_of } : {}),
  };
  return { status: [suspended, ...others], suspension: next };
}

/** The columns of a line once it is resumed; paid time since then has ended the label "expired". */
export function resumedColumns(
  { status, suspension, expiry_date }: ChangeableLine,
  today: Day,
): Pick<LineUpdate, 'status' | 'suspension'> {
  if (!suspension) return {};
  const { label } = suspension;
  const isRevived = label.label.toLowerCase() === 'expired' && expiry_date >= today;
  return { status: [isRevived ? active : label, ...status.slice(1)], suspension: null };
}

/**
 * The same changes, where a status is among them: a suspended line keeps its first label, and no other
 * gets it. Throws NOT_BY_STATUS.
 */
export function keepSuspension(line: ChangeableLine, changes: LineUpdate): LineUpdate {
  const { status, suspension = line.suspension } = changes;
  if (status === undefined) return changes;
  if (status.some(isSuspendedLabel) !== (suspension !== null)) {
    return failField('status', 'NOT_BY_STATUS');
  }
  if (suspension === null) return changes;
  return { ...changes, status: [suspended, ...status.filter((item) => !isSuspendedLabel(item))] };
}
