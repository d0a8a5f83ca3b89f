import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import {
  type Outbound,
  type Reply,
  withinDeadline,
} from '../../../platform/http-client/request.ts';
import { isObject, moment, obstacleOf, Reader, wholeNumber } from './agent-report.ts';
import { notReached } from './check-connection.ts';
import {
  type CardServer,
  hasSuccessStatus,
  listSessions,
  postEndSessions,
  secretsOf,
} from './client.ts';
import type { ClientSession, Counters, LineOnline, OnlineAccount, SessionsRead } from './driver.ts';
import { isName } from './list-accounts.ts';
import { replyMessage, saidBy } from './messages.ts';

/** Far more pages than any server has, so that an endless reply is not followed for ever. */
const MAX_PAGES = 400;
const DEADLINE_MS = 20_000;
const TEXT_MAX_LENGTH = 100;
const MOST_ENDED = 10_000;

const NOT_FOUND = 404;

function dateOf(value: unknown): Date | null {
  const said = moment(value);
  return said === null ? null : new Date(said);
}

function sessionOf(value: unknown, read: Reader): ClientSession[] {
  if (!isObject(value)) return [];
  const { protocol, address, since } = value;
  return [
    {
      protocol: read.text(protocol, TEXT_MAX_LENGTH),
      address: read.text(address, TEXT_MAX_LENGTH),
      since: dateOf(since),
    },
  ];
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function countersOf(value: unknown): Counters | null {
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
    sessions: given.flatMap((session) => sessionOf(session, read)),
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
export function readSessions(
  outbound: Outbound,
  server: CardServer,
  outer?: AbortSignal,
): Promise<SessionsRead> {
  const secrets = secretsOf(server);
  const read = new Reader(secrets);
  return withinDeadline({ ...outbound, deadlineMs: DEADLINE_MS }, outer, async (signal) => {
    const accounts = new Map<string, OnlineAccount>();
    let after: string | null = null;
    let head: { card_server: string | null; started_at: Date | null } | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await listSessions(outbound, server, after, signal);
      if (answer.kind === 'unreachable') return { ok: false, finding: notReached(answer) };
      const { json } = answer;
      if (!hasSuccessStatus(answer) || !Array.isArray(json?.accounts)) {
        return { ok: false, finding: failureOf(answer, secrets) };
      }
      head ??= {
        card_server: read.text(json.server, TEXT_MAX_LENGTH),
        started_at: dateOf(json.started_at),
      };
      for (const value of json.accounts) {
        const account = accountOf(value, read);
        if (account) accounts.set(account.username, account);
      }
      const { next } = json;
      // A next page must begin after this one, or reading would not end.
      if (typeof next !== 'string' || next === after || !isName(next)) {
        return { ok: true, ...head, accounts: [...accounts.values()] };
      }
      after = next;
    }
    return { ok: false, finding: notReached({ reason: 'response too large' }) };
  });
}

type Ended = { ok: true; ended: number } | { ok: false; finding: Finding };

/** Has an agent end the sessions of a line's accounts, and returns their number. Never throws. */
export async function endSessions(
  outbound: Outbound,
  server: CardServer,
  { line, usernames }: LineOnline,
  signal?: AbortSignal,
): Promise<Ended> {
  let ended = 0;
  for (const username of usernames) {
    const done = await endOfOne(outbound, server, { username, line }, signal);
    if (!done.ok) return done;
    ended += done.ended;
  }
  return { ok: true, ended };
}

async function endOfOne(
  outbound: Outbound,
  server: CardServer,
  account: { username: string; line: string },
  signal?: AbortSignal,
): Promise<Ended> {
  const answer = await postEndSessions(outbound, server, account, signal);
  if (answer.kind === 'unreachable') return { ok: false, finding: notReached(answer) };
  const ended = wholeNumber(answer.json?.ended, 0, MOST_ENDED);
  if (hasSuccessStatus(answer) && ended !== null) return { ok: true, ended };
  const secrets = secretsOf(server);
  const said = saidBy(answer, secrets);
  if (said) {
    return {
      ok: false,
      finding: { code: 'IN_OTHER_WORDS', data: { words: replyMessage(answer, secrets), ...said } },
    };
  }
  if (hasSuccessStatus(answer) || answer.status === NOT_FOUND) {
    const code = 'CANNOT_END_SESSIONS';
    return {
      ok: false,
      finding: { code: 'IN_OTHER_WORDS', data: { words: agentRefusals[code], said: code } },
    };
  }
  const { status } = answer;
  return {
    ok: false,
    finding: failureOf(answer, secrets) ?? { code: 'API_NOT_RESPONDING', data: { status } },
  };
}
