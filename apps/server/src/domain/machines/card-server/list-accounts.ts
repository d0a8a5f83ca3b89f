import { parseDay } from '@linekeeper/contract/dates.ts';
import { STORABLE } from '@linekeeper/contract/fields/fields.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import type { Finding, UnreachableReason } from '@linekeeper/contract/findings.ts';
import { type Outbound, withinDeadline } from '../../../platform/http-client/request.ts';
import { type CardServer, hasSuccessStatus, listUsers, showUsers } from './client.ts';

/** Far more pages than any server has, so that an endless reply is not followed for ever. */
const MAX_PAGES = 400;
const MAX_NAME_LENGTH = 200;
const DEADLINE_MS = 20_000;

/** Expiry date (YYYY-MM-DD) by username; null if the server gives none. */
export type AccountsOnServer = ReadonlyMap<string, string | null>;

export type ListedAccounts =
  | {
      ok: true;
      accounts: AccountsOnServer;
      /** The server offers POST /show-users, which names passwords. */
      tells_passwords: boolean;
      /** Accounts that are switched off; absent where such accounts do not exist. */
      disabled?: ReadonlySet<string>;
      /** Accounts of the operator's own, which the panel may not remove; absent where only its own are listed. */
      by_hand?: ReadonlySet<string>;
      /** Ids of the lines that the panel's own accounts are of, by name, where the card server says so. */
      lines?: ReadonlyMap<string, string>;
      /** The group that a new account gets; null where the card server chooses it. */
      new_group?: string | null;
    }
  | {
      ok: false;
      status: number | null;
      reason: UnreachableReason | null;
      /** Why it was not listed, where neither of them says it. */
      finding?: Finding;
    };

/** Why a card server did not list its accounts. */
export function notListed({ finding, reason, status }: ListedAccounts & { ok: false }): Finding {
  if (finding) return finding;
  return reason
    ? { code: 'NOT_REACHED', data: { reason } }
    : { code: 'NO_USER_LIST', data: { status: status ?? 0 } };
}

/** Reads all accounts of a card server, page by page. Never throws. */
export function listAccounts(
  outbound: Outbound,
  server: CardServer,
  outer?: AbortSignal,
): Promise<ListedAccounts> {
  return withinDeadline({ ...outbound, deadlineMs: DEADLINE_MS }, outer, async (signal) => {
    const accounts = new Map<string, string | null>();
    let after: string | null = null;
    let tells_passwords = false;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await listUsers(outbound, server, after, signal);
      if (answer.kind === 'unreachable') {
        return { ok: false, status: null, reason: answer.reason };
      }
      const users = answer.json?.users;
      if (!hasSuccessStatus(answer) || !Array.isArray(users)) {
        return { ok: false, status: answer.status, reason: null };
      }
      for (const user of users) readAccount(user, accounts);
      tells_passwords ||= answer.json?.shows_users === true;
      const next = answer.json?.next;
      // A next page must begin after this one, or reading would not end.
      if (typeof next !== 'string' || next === after || !isName(next))
        return { ok: true, accounts, tells_passwords };
      after = next;
    }
    return { ok: false, status: null, reason: 'response too large' };
  });
}

/** Anything else a server sends in this field cannot be the name of a line. */
export function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH && STORABLE.test(text);
}

function readAccount(user: unknown, accounts: Map<string, string | null>): void {
  if (typeof user !== 'object' || user === null || !('username' in user)) return;
  if (typeof user.username !== 'string' || !isName(user.username)) return;
  const day = 'expiryDate' in user && typeof user.expiryDate === 'string' ? user.expiryDate : '';
  accounts.set(user.username, parseDay(day));
}

/** Facts that a card server gives of one of its accounts; null where it does not say. */
export interface ShownAccount {
  password: string | null;
  expiry_date: string | null;
  /** It does not bear the panel's mark yet. */
  is_to_push?: true;
}

/**
 * The named accounts that a card server has, by name; null if it does not answer. Where it does not
 * tell passwords, they are looked up in its list. Never throws.
 */
export async function showAccounts(
  outbound: Outbound,
  server: CardServer,
  usernames: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ShownAccount> | null> {
  const answer = await showUsers(outbound, server, usernames, signal);
  if (answer.kind === 'unreachable') return null;
  const users = answer.json?.users;
  if (hasSuccessStatus(answer) && Array.isArray(users)) {
    return new Map(users.flatMap((user) => readShownAccount(user, usernames)));
  }
  const listed = await listAccounts(outbound, server, signal);
  if (!listed.ok) return null;
  return new Map(
    usernames.flatMap((username) => {
      const expiry_date = listed.accounts.get(username);
      return expiry_date === undefined ? [] : [[username, { password: null, expiry_date }]];
    }),
  );
}

/** Whether the operator has a row of their own with this name; false where the card server does not say. Never throws. */
export async function isByHand(
  outbound: Outbound,
  server: CardServer,
  username: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await showUsers(outbound, server, [username], signal);
  if (answer.kind === 'unreachable' || !hasSuccessStatus(answer)) return false;
  const { by_hand } = answer.json ?? {};
  return Array.isArray(by_hand) && by_hand.includes(username);
}

/** Reads accounts that were asked for; a password that no line may have counts as not told. */
function readShownAccount(user: unknown, asked: readonly string[]): [string, ShownAccount][] {
  if (typeof user !== 'object' || user === null) return [];
  const { username, password, expiryDate } = user as Record<string, unknown>;
  if (typeof username !== 'string' || !asked.includes(username)) return [];
  const parsed = linePassword.safeParse(password);
  return [
    [
      username,
      {
        password: parsed.success ? parsed.data : null,
        expiry_date: typeof expiryDate === 'string' ? parseDay(expiryDate) : null,
      },
    ],
  ];
}
