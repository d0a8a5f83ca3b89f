import type { Day } from '@linekeeper/contract/dates.ts';
import {
  isSuspendedLabel,
  type StatusItem,
  SUSPENDED,
  statusColor,
} from '@linekeeper/contract/fields/line-fields.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Db } from '../../../db/transaction.ts';
import { outranks } from '../../../domain/accounts/account-policy.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import type { ActingAccount } from '../price/price.ts';
import type { AskedChange } from './asked-change.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';

const suspended: StatusItem = { label: SUSPENDED, color: statusColor(SUSPENDED) };
export const active: StatusItem = { label: 'active', color: statusColor('active') };

/** The label of a line that is valid again: "active" if it was "expired", and otherwise its own. */
export const revived = (item: StatusItem): StatusItem =>
  item.label.toLowerCase() === 'expired' ? active : item;

/**
 * The columns of a suspended line: the label "suspended" replaces the first one. A line that is already suspended keeps
 * its reason unless there is a new one, and its time if the same account suspends it.
 */
export function suspendedColumns(
  {
    status: [first = active, ...others],
    suspension,
  }: Pick<ChangeableLine, 'status' | 'suspension'>,
  by_id: string | null,
  reason?: string,
  ban_of?: string,
): { status: StatusItem[]; suspension: StoredSuspension } {
  const isOwn = suspension !== null && suspension.by_id === by_id;
  const next: StoredSuspension = {
    by_id,
    reason: reason || (suspension?.reason ?? null),
    at: isOwn ? suspension.at : new Date().toISOString(),
    label: suspension?.label ?? first,
    ...(ban_of ? { ban_of } : {}),
  };
  return { status: [suspended, ...others], suspension: next };
}

/** The columns of a resumed line. If time was paid since the suspension, the label "expired" is removed, too. */
export function resumedColumns(
  { status, suspension, expiry_date }: ChangeableLine,
  today: Day,
): Pick<LineUpdate, 'status' | 'suspension'> {
  if (!suspension) return {};
  const { label } = suspension;
  const first = expiry_date >= today ? revived(label) : label;
  return { status: [first, ...status.slice(1)], suspension: null };
}

/** The columns that suspending or resuming a line changes; none if a ban, or its end, does not apply to the line. */
export function changedSuspension(
  line: ChangeableLine,
  { actor, today }: Pick<ActingAccount, 'actor' | 'today'>,
  { action, reason, ban_of }: Extract<AskedChange, { action: 'suspend' | 'resume' }>,
): LineUpdate {
  const { suspension } = line;
  if (action === 'suspend') {
    // A ban does not replace an earlier suspension for another reason.
    const isOthers = ban_of !== undefined && suspension !== null && suspension.until === undefined;
    return isOthers ? {} : suspendedColumns(line, actor.id, reason, ban_of);
  }
  // The end of a ban does not resume lines that were suspended again since.
  const isOthers = ban_of !== undefined && suspension?.ban_of !== ban_of;
  return isOthers ? {} : resumedColumns(line, today());
}

/**
 * Keeps an edited status consistent with the suspension of its line, because a status is only a label and suspends
 * nothing. Returns `changes`, in which the new status of a suspended line begins with the label "suspended". Throws
 * NOT_BY_STATUS at `status` if it has that label although the line is not suspended, or lacks it although the line is.
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

/**
 * A check of lines that throws SUSPENDED_FROM_ABOVE if an account that outranks the actor has suspended the
 * line. Each such account is looked up once.
 */
export function suspensionGuard(db: Db, actor: SignedIn) {
  const known = new Map<string, Promise<boolean>>();
  const isAbove = async (id: string) => {
    const { is_above = false } =
      (await db
        .selectFrom('auth_users as suspender')
        .select(outranks('suspender.id', actor.id).as('is_above'))
        .where('suspender.id', '=', id)
        .executeTakeFirst()) ?? {};
    return is_above;
  };
  return async ({ suspension }: Pick<ChangeableLine, 'suspension'>): Promise<void> => {
    const by_id = suspension?.by_id;
    if (!by_id || by_id === actor.id || actor.is_admin) return;
    const answer = known.get(by_id) ?? isAbove(by_id);
    known.set(by_id, answer);
    if (await answer) fail('SUSPENDED_FROM_ABOVE');
  };
}
