import { parseDay } from '@linekeeper/contract/dates.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import type { Outbound } from '../../../platform/http-client/request.ts';
import { type CardServer, hasSuccessStatus, showUsers } from './client.ts';
import { listAccounts } from './list-accounts.ts';

/** Facts that a card server gives of one of its accounts; null where it does not say. */
export interface ShownAccount {
  password: string | null;
  expiry_date: string | null;
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
    return new Map(users.flatMap((user) => readAccount(user, usernames)));
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

/** Reads accounts that were asked for; a password that no line may have counts as not told. */
function readAccount(user: unknown, asked: readonly string[]): [string, ShownAccount][] {
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
