import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { JsonObject, Reply } from '../../../platform/http-client/request.ts';
import { moment, obstacleOf, wholeNumber } from './agent-report.ts';
import { notReached } from './check-connection.ts';
import { type Called, call, hasSuccessStatus, isName, readPages, secretsOf } from './client.ts';
import type { CardServerDriver, LineOnline, OnlineAccount, SessionsRead } from './driver.ts';
import { isObject, Reader, replyMessage, saidBy } from './messages.ts';

const TEXT_MAX_LENGTH = 100;
const MOST_ENDED = 10_000;

function dateOf(value: unknown): Date | null {
  const said = moment(value);
  return said === null ? null : new Date(said);
}

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

function accountOf(value: unknown, read: Reader): OnlineAccount | null {
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

/** The finding of a reply that is no list; null if the server lacks this call, or has no means to answer it. */
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

/** Reads who is on from an agent, page by page. Never throws. */
export async function readSessions(called: Called): Promise<SessionsRead> {
  const secrets = secretsOf(called.server);
  const read = new Reader(secrets);
  const accounts = new Map<string, OnlineAccount>();
  let head: { card_server: string | null; started_at: Date | null } | undefined;
  const failed = await readPages(called, 'sessions', (values, { server, started_at }) => {
    head ??= { card_server: read.text(server, TEXT_MAX_LENGTH), started_at: dateOf(started_at) };
    for (const value of values) {
      const account = accountOf(value, read);
      if (account) accounts.set(account.username, account);
    }
  });
  if (failed?.kind === 'unreachable') return { ok: false, finding: notReached(failed) };
  if (failed || !head) return { ok: false, finding: failed && failureOf(failed, secrets) };
  return { ok: true, ...head, accounts: [...accounts.values()] };
}

type Ended = Awaited<ReturnType<NonNullable<CardServerDriver['endSessions']>>>;

/** Has an agent end the sessions of a line's accounts, and returns their number. Never throws. */
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
  const said = saidBy(answer, secrets);
  if (said) {
    return { code: 'IN_OTHER_WORDS', data: { words: replyMessage(answer, secrets), ...said } };
  }
  if (hasSuccessStatus(answer) || status === 404) {
    const code = 'CANNOT_END_SESSIONS';
    return { code: 'IN_OTHER_WORDS', data: { words: agentRefusals[code], said: code } };
  }
  return failureOf(answer, secrets) ?? { code: 'API_NOT_RESPONDING', data: { status } };
}
