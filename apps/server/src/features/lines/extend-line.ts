import type { Day } from '@linekeeper/contract/dates.ts';
import { statusColor } from '@linekeeper/contract/line-fields.ts';
import type { SignedIn } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import { type Charged, charge } from '../../core/credits.ts';
import { wantOnServer } from '../../core/pushes.ts';
import { failField } from '../../core/refusal.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  type ChangeableLine,
  type LineUpdate,
  type LockedLine,
  updateLine,
} from './locked-line.ts';
import { type Term, termOfRenewal, type Wish } from './price.ts';

/** Beyond it dates cannot be entered any more. */
const LAST_DAY: Day = '2099-12-31';

/** Who changes a line, and on what day. */
export interface Changer {
  actor: SignedIn;
  today(): Day;
}

/** What more time makes of a line's fields, and its price. Paid time ends a trial. */
export function extension(
  { actor, today }: Changer,
  line: ChangeableLine,
  wish: Wish,
): Term & { changes: LineUpdate } {
  const term = termOfRenewal(actor, wish, today(), line.expiry_date);
  const field = wish.subscription_months === undefined ? 'expiry_date' : 'subscription_months';
  if (term.expiry_date > LAST_DAY) failField(field, 'EXPIRY_TOO_LATE');
  const isPaid = term.cost > 0 || wish.subscription_months !== undefined;
  const isRevived = line.status[0]?.label.toLowerCase() === 'expired' && isPaid;
  return {
    ...term,
    changes: {
      expiry_date: term.expiry_date,
      ...(isPaid ? { is_trial: false } : {}),
      ...(wish.subscription_months === undefined
        ? {}
        : { subscription_months: wish.subscription_months }),
      ...(isRevived
        ? {
            status: [{ label: 'active', color: statusColor('active') }, ...line.status.slice(1)],
          }
        : {}),
    },
  };
}

/** Sells more time for a locked line. Returns what was paid, and whether its server must be told. */
export async function extendLine(
  tx: Tx,
  changer: Changer,
  line: LockedLine,
  wish: Wish,
): Promise<Charged & { expiry_date: Day; isPushed: boolean }> {
  const { cost, expiry_date, changes } = extension(changer, line, wish);
  const { id: line_id, username, server_id } = line;
  await updateLine(tx, line_id, changes);
  const charged = await charge(tx, changer.actor, { kind: 'renewal', cost, line_id, username });
  const isPushed = expiry_date !== line.expiry_date;
  if (isPushed) {
    const wanted = { line_id, expiry_date };
    await wantOnServer(tx, { server_id, username, wanted, operation: 'renew' });
  }
  // An administrator pays nothing, so no transfer tells of it.
  if (changer.actor.is_admin) {
    await audit(tx, {
      actor_id: changer.actor.id,
      action: 'line.renew',
      subject_type: 'line',
      subject_id: line_id,
      data: { username, from: line.expiry_date, to: expiry_date },
    });
  }
  return { ...charged, expiry_date, isPushed };
}
