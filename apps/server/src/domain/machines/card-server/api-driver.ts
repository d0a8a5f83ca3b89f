import { parseDay } from '@linekeeper/contract/dates.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import type { Finding, FindingCode } from '@linekeeper/contract/findings.ts';
import { takeOverReasons } from '@linekeeper/contract/servers/take-over.ts';
import type { Outbound } from '../../../platform/http-client/request.ts';
import { reloadOf } from './agent-report.ts';
import { connect, notReached } from './check-connection.ts';
import {
  applyWanted,
  bodyOf,
  type Called,
  type CardServer,
  call,
  hasSuccessStatus,
  isName,
  readPages,
  secretsOf,
} from './client.ts';
import type {
  CardServerDriver,
  LineToTakeOver,
  ListedAccounts,
  ShownAccount,
  TakenOverRows,
} from './driver.ts';
import { isObject } from './messages.ts';
import { endSessions, readSessions } from './read-sessions.ts';

/** Accounts of one call: of the longest names and passwords they are less than the 64 KiB that an agent reads. */
const TAKEN_OVER_AT_ONCE = 150;

/** Reads an account of a list; a password that no line may have counts as not told. */
function accountOf(user: unknown): (ShownAccount & { username: string })[] {
  if (!isObject(user)) return [];
  const { username, password, expiryDate } = user;
  if (typeof username !== 'string' || !isName(username)) return [];
  const parsed = linePassword.safeParse(password);
  const expiry_date = typeof expiryDate === 'string' ? parseDay(expiryDate) : null;
  return [{ username, password: parsed.success ? parsed.data : null, expiry_date }];
}

async function list(called: Called): Promise<ListedAccounts> {
  const accounts = new Map<string, string | null>();
  let tells_passwords = false;
  const failed = await readPages(called, 'list', (users, { shows_users }) => {
    for (const user of users.flatMap(accountOf)) accounts.set(user.username, user.expiry_date);
    tells_passwords ||= shows_users === true;
  });
  if (!failed) return { ok: true, accounts, tells_passwords };
  if (failed.kind === 'unreachable') return { ok: false, finding: notReached(failed) };
  return { ok: false, finding: { code: 'NO_USER_LIST', data: { status: failed.status } } };
}

/** Where a server does not tell passwords, the accounts are looked up in its list. */
async function show(called: Called, usernames: readonly string[]) {
  const answer = await call(called, 'show', { body: { usernames } });
  if (answer.kind === 'unreachable') return null;
  const users = answer.json?.users;
  const asked = new Set(usernames);
  if (hasSuccessStatus(answer) && Array.isArray(users)) {
    const shown = users.flatMap(accountOf).filter(({ username }) => asked.has(username));
    return new Map(shown.map(({ username, ...account }) => [username, account]));
  }
  const listed = await list(called);
  if (!listed.ok) return null;
  const known = [...listed.accounts].filter(([username]) => asked.has(username));
  return new Map(
    known.map(([username, expiry_date]) => [username, { password: null, expiry_date }]),
  );
}

async function isByHand(called: Called, username: string): Promise<boolean> {
  const answer = await call(called, 'show', { body: { usernames: [username] } });
  if (answer.kind === 'unreachable' || !hasSuccessStatus(answer)) return false;
  const { by_hand } = answer.json ?? {};
  return Array.isArray(by_hand) && by_hand.includes(username);
}

/** Asks an agent to take over the rows of these lines that stand by hand in its files, page by page. */
async function takeOver(called: Called, lines: readonly LineToTakeOver[]): Promise<TakenOverRows> {
  const all: TakenOverRows = { taken: [], refused: [], finding: null };
  for (let from = 0; from < lines.length; from += TAKEN_OVER_AT_ONCE) {
    const asked = lines.slice(from, from + TAKEN_OVER_AT_ONCE);
    const accounts = asked.map(({ before, state, ...line }) => ({
      ...bodyOf('add', line),
      ...(before !== null && { before }),
      ...(state !== 'runs' && { [state]: true }),
    }));
    const answer = await call(called, 'takeOver', { body: { accounts } });
    if (answer.kind === 'unreachable') return { ...all, finding: notReached(answer) };
    const { status, json } = answer;
    if (!hasSuccessStatus(answer) || !Array.isArray(json?.taken)) {
      return { ...all, finding: { code: 'NO_TAKE_OVER', data: { status } } };
    }
    // Names that were asked for are read, and no others.
    const names = new Set<unknown>(asked.map(({ username }) => username));
    all.taken.push(...json.taken.filter((name) => names.has(name)));
    for (const one of Array.isArray(json.refused) ? json.refused : []) {
      const { username, reason: given } = Object(one) as Record<string, unknown>;
      const reason = takeOverReasons.find((known) => known === given);
      if (typeof username === 'string' && names.has(username) && reason) {
        all.refused.push({ username, reason });
      }
    }
  }
  return all;
}

async function reread(called: Called): ReturnType<CardServerDriver['reread']> {
  const answer = await call(called, 'reload', { body: {} });
  if (answer.kind === 'unreachable') return { ok: false, finding: notReached(answer) };
  const { status, json } = answer;
  const failed = (code: FindingCode, data: Finding['data'] = { status }) => ({
    ok: false as const,
    finding: { code, data },
  });
  if (status === 401 || status === 403) return failed('AUTHENTICATION_FAILED');
  if (status === 404 || status === 405) return failed('RELOAD_NOT_OFFERED', {});
  if (!hasSuccessStatus(answer) || typeof json?.applied !== 'boolean')
    return failed('API_NOT_RESPONDING');
  // The reply names waiting changes however short a time they have waited.
  const { reload } = reloadOf(answer, secretsOf(called.server), 0);
  return { ok: true, applied: json.applied, reload };
}

/** Speaks the API that an agent offers. A suspended line has no account there. */
export function apiDriver(outbound: Outbound, server: CardServer): CardServerDriver {
  const until = (signal?: AbortSignal): Called => ({ outbound, server, signal });
  return {
    test: (signal) => connect(outbound, server, signal),
    put: ({ username, is_suspended, ...wanted }, { onServer, signal }) =>
      applyWanted(until(signal), username, is_suspended ? null : wanted, onServer),
    remove: (username, { onServer, signal }) =>
      applyWanted(until(signal), username, null, onServer),
    list: (signal) => list(until(signal)),
    show: (usernames, signal) => show(until(signal), usernames),
    isByHand: (username, signal) => isByHand(until(signal), username),
    takeOver: (lines, signal) => takeOver(until(signal), lines),
    reread: (signal) => reread(until(signal)),
    sessions: (signal) => readSessions(until(signal)),
    endSessions: (line, signal) => endSessions(until(signal), line),
  };
}
