import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import type { Tx } from '../../db/transaction.ts';
import type { NoticeFacts } from '../../domain/notices/notices.ts';
import { notify, notifyAdministrators, ORDERED } from '../../domain/notices/notify.ts';
import type { TopUpRow } from './locked-top-up.ts';

const LIST = '/payments/top-ups';
const linkTo = ({ number }: TopUpRow) => `${LIST}?q=${topUpNumber(number)}`;

type OwnEvent =
  | 'top_up_approved'
  | 'top_up_rejected'
  | 'top_up_failed'
  | 'top_up_returned'
  | 'top_up_restored'
  | 'top_up_surplus'
  | 'top_up_surplus_returned';
type MoreFacts<Event extends OwnEvent> = Omit<NoticeFacts[Event], 'number'>;

/** Notifies the account of the outcome of its top-up. */
export async function notifyAccount<Event extends OwnEvent>(
  tx: Tx,
  topUp: TopUpRow,
  event: Event,
  more: MoreFacts<Event>,
): Promise<void> {
  const facts = { number: topUpNumber(topUp.number), ...more } as never;
  await notify(tx, [{ event, facts, account_id: topUp.account_id, link: linkTo(topUp) }]);
}

/** Notifies administrators that a bank transfer is to be expected. */
export async function notifyOrdered(tx: Tx, topUp: TopUpRow, email: string): Promise<void> {
  const { credits, price_minor, currency } = topUp;
  const facts = { number: topUpNumber(topUp.number), email, credits, price_minor, currency };
  const said_once = `${ORDERED}${facts.number}`;
  await notifyAdministrators(tx, {
    event: 'top_up_ordered',
    facts,
    link: linkTo(topUp),
    said_once,
  });
}

/** Notifies administrators of a mismatch that only a person can resolve. */
export async function notifyFlagged(
  tx: Tx,
  topUp: TopUpRow,
  why: NoticeFacts['top_up_flagged']['why'],
): Promise<void> {
  const facts = { number: topUpNumber(topUp.number), why };
  await notifyAdministrators(tx, { event: 'top_up_flagged', facts, link: linkTo(topUp) });
}
