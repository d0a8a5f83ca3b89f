import { parseDay } from '@linekeeper/contract/dates.ts';
import { STORABLE } from '@linekeeper/contract/fields.ts';
import { type CardServer, isTwoHundred, listUsers } from './client.ts';
import { type Outbound, type UnreachableReason, withinDeadline } from './request.ts';

/** Far more than any server has: a reply that never ends must not be followed for ever. */
const MAX_PAGES = 400;
const MAX_NAME_LENGTH = 200;
const DEADLINE_MS = 20_000;

/** What a card server says it has: YYYY-MM-DD by name, null where it says no day. */
export type AccountsOnServer = ReadonlyMap<string, string | null>;

export type ListedAccounts =
  | { ok: true; accounts: AccountsOnServer }
  | { ok: false; status: number | null; reason: UnreachableReason | null };

/** Every account of a card server, a page at a time. Never throws. */
export function listAccounts(
  outbound: Outbound,
  server: CardServer,
  outer?: AbortSignal,
): Promise<ListedAccounts> {
  return withinDeadline({ ...outbound, deadlineMs: DEADLINE_MS }, outer, async (signal) => {
    const accounts = new Map<string, string | null>();
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await listUsers(outbound, server, after, signal);
      if (answer.kind === 'unreachable') {
        return { ok: false, status: null, reason: answer.reason };
      }
      const users = answer.json?.users;
      if (!isTwoHundred(answer) || !Array.isArray(users)) {
        return { ok: false, status: answer.status, reason: null };
      }
      for (const user of users) readAccount(user, accounts);
      const next = answer.json?.next;
      // The next page begins behind this one, or there is no way on.
      if (typeof next !== 'string' || next === after || !isName(next))
        return { ok: true, accounts };
      after = next;
    }
    return { ok: false, status: null, reason: 'response too large' };
  });
}

/** Whatever else a server sends under that word cannot be the name of a line. */
function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH && STORABLE.test(text);
}

function readAccount(user: unknown, accounts: Map<string, string | null>): void {
  if (typeof user !== 'object' || user === null || !('username' in user)) return;
  if (typeof user.username !== 'string' || !isName(user.username)) return;
  const day = 'expiryDate' in user && typeof user.expiryDate === 'string' ? user.expiryDate : '';
  accounts.set(user.username, parseDay(day));
}
