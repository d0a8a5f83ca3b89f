import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { parseDay } from '@linekeeper/contract/dates.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import type { Finding, FindingCode } from '@linekeeper/contract/findings.ts';
import { takeOverReasons } from '@linekeeper/contract/servers/take-over.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import type { JsonObject, Outbound, Reply } from '../../../platform/http-client/request.ts';
import { moment, obstacleOf, reloadOf, wholeNumber } from './agent-report.ts';
import { connect, notReached, versionOf } from './check-connection.ts';
import {
  applyWanted,
  bodyOf,
  type Called,
  type CardServer,
  call,
  calls,
  hasSuccessStatus,
  isChange,
  isName,
  isSuccess,
  readPages,
  rightsField,
  secretsOf,
} from './client.ts';
import type {
  CardServerDriver,
  LineOnline,
  LineToTakeOver,
  ListedAccounts,
  OnlineAccount,
  SessionsRead,
  ShownAccount,
  TakenOverRows,
  TriedAccount,
  TriedCall,
} from './driver.ts';
import { DOTS, isObject, pushFinding, Reader, replyMessage, saidBy } from './messages.ts';
import { choicesOf } from './rights.ts';

/** Accounts per call: with the longest names and passwords they stay below the 64 KiB that an agent reads. */
const TAKEN_OVER_AT_ONCE = 150;
/** Accounts in one request if their plans have all possible rights. */
const WITH_RIGHTS_AT_ONCE = 10;

/** Reads an account from a list; a password that no line may have counts as missing. */
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

/** Shows accounts with their passwords, or looks them up in a list if the server reports no passwords. */
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

/** Asks an agent, in batches, to take over rows that the operator wrote for these lines. */
async function takeOver(called: Called, lines: readonly LineToTakeOver[]): Promise<TakenOverRows> {
  const all: TakenOverRows = { taken: [], refused: [], finding: null };
  const atOnce = lines.some(({ rights }) => rights) ? WITH_RIGHTS_AT_ONCE : TAKEN_OVER_AT_ONCE;
  for (let from = 0; from < lines.length; from += atOnce) {
    const asked = lines.slice(from, from + atOnce);
    const accounts = asked.map(({ before, state, ...line }) => ({
      ...bodyOf('add', line),
      ...rightsField(line),
      ...(before !== null && { before }),
      ...(state !== 'runs' && { [state]: true }),
    }));
    const answer = await call(called, 'takeOver', { body: { accounts } });
    if (answer.kind === 'unreachable') return { ...all, finding: notReached(answer) };
    const { status, json } = answer;
    if (!hasSuccessStatus(answer) || !Array.isArray(json?.taken)) {
      return { ...all, finding: { code: 'NO_TAKE_OVER', data: { status } } };
    }
    // Only requested names are read from the reply, which is untrusted.
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
  // The reply names all waiting changes, even if they have waited for a very short time.
  const { reload } = reloadOf(answer, secretsOf(called.server), 0);
  return { ok: true, applied: json.applied, reload };
}

const TEXT_MAX_LENGTH = 100;
const MOST_ENDED = 10_000;

function sessionOf({ protocol, address, since }: JsonObject, read: Reader) {
  return {
    protocol: read.text(protocol, TEXT_MAX_LENGTH),
    address: read.text(address, TEXT_MAX_LENGTH),
    since: moment(since),
  };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function countersOf(value: unknown): OnlineAccount['counters'] {
  if (!isObject(value)) return null;
  const ok = numberOf(value.ok);
  const refused = numberOf(value.refused);
  const timed_out = numberOf(value.timed_out);
  if (ok === null || refused === null || timed_out === null) return null;
  return { ok, refused, timed_out };
}

function onlineOf(value: unknown, read: Reader): OnlineAccount | null {
  if (!isObject(value)) return null;
  const { username, line, connections, sessions, counters, answer_ms } = value;
  if (typeof username !== 'string' || !isName(username)) return null;
  const given: unknown[] = Array.isArray(sessions) ? sessions : [];
  return {
    username,
    line: typeof line === 'string' ? line : undefined,
    connections: numberOf(connections) ?? given.length,
    sessions: given.filter(isObject).map((session) => sessionOf(session, read)),
    counters: countersOf(counters),
    answer_ms: numberOf(answer_ms),
  };
}

/** The finding of a response that is not a list; null if the server lacks this call, or cannot make it. */
function failureOf(reply: Reply, secrets: string[]): Finding | null {
  const { status, json } = reply;
  if (status === 401 || status === 403)
    return { code: 'API_AUTHENTICATION_FAILED', data: { status } };
  if (status < 500) return null;
  const read = new Reader(secrets);
  if (json?.code === 'CCCAM_INFO_NOT_READ') {
    const data = isObject(json.data) ? json.data : {};
    const reason = read.text(data.reason, TEXT_MAX_LENGTH) ?? '?';
    return { code: 'CCCAM_INFO_NOT_READ', data: { reason } };
  }
  const obstacle = json && obstacleOf(json, read);
  return obstacle?.data.cause ? obstacle : { code: 'API_NOT_RESPONDING', data: { status } };
}

/** Reads the sessions from an agent, page by page. Never throws. */
export async function readSessions(called: Called): Promise<SessionsRead> {
  const secrets = secretsOf(called.server);
  const read = new Reader(secrets);
  const accounts = new Map<string, OnlineAccount>();
  let head: { card_server: string | null; started_at: Date | null } | undefined;
  const failed = await readPages(called, 'sessions', (values, { server, started_at }) => {
    const started = moment(started_at);
    head ??= {
      card_server: read.text(server, TEXT_MAX_LENGTH),
      started_at: started === null ? null : new Date(started),
    };
    for (const value of values) {
      const account = onlineOf(value, read);
      if (account) accounts.set(account.username, account);
    }
  });
  if (failed?.kind === 'unreachable') return { ok: false, finding: notReached(failed) };
  if (failed || !head) return { ok: false, finding: failed && failureOf(failed, secrets) };
  return { ok: true, ...head, accounts: [...accounts.values()] };
}

type Ended = Awaited<ReturnType<NonNullable<CardServerDriver['endSessions']>>>;

/** Makes an agent end the sessions of a line's accounts, and returns their number. Never throws. */
export async function endSessions(called: Called, line: LineOnline): Promise<Ended> {
  let ended = 0;
  for (const username of line.usernames) {
    const body = { username, line: line.line };
    const answer = await call(called, 'endSessions', { body });
    if (answer.kind === 'unreachable') return { ok: false, finding: notReached(answer) };
    const count = wholeNumber(answer.json?.ended, 0, MOST_ENDED);
    if (!hasSuccessStatus(answer) || count === null) {
      return { ok: false, finding: notEnded(answer, secretsOf(called.server)) };
    }
    ended += count;
  }
  return { ok: true, ended };
}

function notEnded(answer: Reply, secrets: string[]): Finding {
  const { status } = answer;
  const refusal = saidBy(answer, secrets);
  if (refusal) {
    return { code: 'IN_OTHER_WORDS', data: { words: replyMessage(answer, secrets), ...refusal } };
  }
  if (hasSuccessStatus(answer) || status === 404) {
    const code = 'CANNOT_END_SESSIONS';
    return { code: 'IN_OTHER_WORDS', data: { words: agentRefusals[code], said: code } };
  }
  return failureOf(answer, secrets) ?? { code: 'API_NOT_RESPONDING', data: { status } };
}

/** The finding of a test call, by its response; null if it succeeded. */
function problemOf(name: ServerCall, answer: Reply, secrets: string[]): Finding | null {
  if (isChange(name)) {
    const [reason, said] = [replyMessage(answer, secrets), saidBy(answer, secrets)];
    return isSuccess(answer) ? null : pushFinding(name, { kind: 'refused', reason, said });
  }
  const code = name === 'health' ? 'API_NOT_RESPONDING' : 'API_AUTHENTICATION_FAILED';
  if (!hasSuccessStatus(answer)) return { code, data: { status: answer.status } };
  if (name === 'health' || isSuccess(answer)) return null;
  return notReached({ reason: 'invalid response' });
}

async function tryOut(called: Called, name: ServerCall, account: TriedAccount): Promise<TriedCall> {
  const { server } = called;
  const { method, path } = calls[name];
  const shown = { ...account, ...(account.password && { password: DOTS }) };
  const request: TriedCall['request'] = {
    method,
    url: `${server.api_scheme}://${server.host_ip}:${server.api_port}${path}`,
    headers: name === 'health' ? {} : { authorization: `Basic ${DOTS}` },
    body: isChange(name) ? (bodyOf(name, shown) as Record<string, string>) : null,
  };
  const answer = await call(called, name, isChange(name) ? { body: bodyOf(name, account) } : {});
  if (answer.kind === 'unreachable') return { request, reply: null, finding: notReached(answer) };
  const secrets = secretsOf(server, account.password);
  const { status, json } = answer;
  const message = replyMessage(answer, secrets) || null;
  const reply = { status, message, version: versionOf(json?.version, server) };
  return { request, reply, finding: problemOf(name, answer, secrets) };
}

/** The driver for the API of an agent. A suspended line has no account on the card server. */
export function apiDriver(outbound: Outbound, server: CardServer): CardServerDriver {
  const until = (signal?: AbortSignal): Called => ({ outbound, server, signal });
  return {
    test: (signal) => connect(outbound, server, signal),
    put: ({ username, is_suspended, ...wanted }, { signal, ...options }) =>
      applyWanted(until(signal), username, is_suspended ? null : wanted, options),
    remove: (username, { signal, onServer }) =>
      applyWanted(until(signal), username, null, { onServer }),
    list: (signal) => list(until(signal)),
    show: (usernames, signal) => show(until(signal), usernames),
    isByHand: (username, signal) => isByHand(until(signal), username),
    takeOver: (lines, signal) => takeOver(until(signal), lines),
    async rightsChoices(signal) {
      const answer = await call(until(signal), 'rightsChoices');
      const isRead = answer.kind === 'reply' && hasSuccessStatus(answer) && answer.json;
      return isRead ? choicesOf(isRead) : null;
    },
    reread: (signal) => reread(until(signal)),
    sessions: (signal) => readSessions(until(signal)),
    endSessions: (line, signal) => endSessions(until(signal), line),
    tryOut: (name, account, signal) => tryOut(until(signal), name, account),
  };
}
