import {
  basicAuth,
  type JsonRequest,
  type Outbound,
  type Reply,
  requestJson,
  type Unreachable,
  withinDeadline,
} from '../../../platform/http-client/request.ts';
import { notAllowed } from './agent-report.ts';
import {
  type PushFailure,
  plainText,
  type RowByHand,
  redact,
  replyMessage,
  rowsByHand,
  saidBy,
} from './messages.ts';

/** Address and credentials of a card server's API; passwords in plain text. */
export type CardServer = {
  host_ip: string;
  api_port: number;
  api_scheme: 'http' | 'https';
  username: string;
  password: string;
};

/** The intended state of a line on its card server; `expiry_date` is YYYY-MM-DD. */
export type WantedLine = {
  password: string;
  expiry_date: string;
  /** By which an agent knows the line again when its name or password is another; given to agents only. */
  line?: string | undefined;
  /** The name of a row by hand that the line may still have there; given to agents only. */
  formerly?: string | undefined;
};

/** `isTaken` is false if the change is stored and the card server does not know it yet. */
export type PushResult = { ok: true; isTaken?: false } | PushFailure;

type Answer = Promise<Reply | Unreachable>;

/** POST /add-user. Like the other calls it never throws and ends at the deadline of `outbound`. */
export function addUser(
  outbound: Outbound,
  server: CardServer,
  account: WantedLine & { username: string },
  signal?: AbortSignal,
): Answer {
  const { username, password, expiry_date, line, formerly } = account;
  const body = { username, password, expiryDate: toApiDate(expiry_date), line, formerly };
  return call(outbound, server, 'POST', '/add-user', { body, signal });
}

/** PUT /edit-user with the given password, expiry date (YYYY-MM-DD) or both. */
export function editUser(
  outbound: Outbound,
  server: CardServer,
  change: Partial<WantedLine> & { username: string },
  signal?: AbortSignal,
): Answer {
  const { username, password, expiry_date, line } = change;
  const body = {
    username,
    line,
    ...(password !== undefined && { newPassword: password }),
    ...(expiry_date !== undefined && { newExpiryDate: toApiDate(expiry_date) }),
  };
  return call(outbound, server, 'PUT', '/edit-user', { body, signal });
}

/** DELETE /delete-user. */
export function deleteUser(
  outbound: Outbound,
  server: CardServer,
  username: string,
  signal?: AbortSignal,
): Answer {
  return call(outbound, server, 'DELETE', '/delete-user', { body: { username }, signal });
}

/** GET /health, the only call without credentials. */
export function getHealth(outbound: Outbound, server: CardServer, signal?: AbortSignal): Answer {
  return call(outbound, server, 'GET', '/health', { signal, isPublic: true });
}

/** GET / with credentials; a card server replies with its version, and an agent hears which day the panel has. */
export function getRoot(outbound: Outbound, server: CardServer, signal?: AbortSignal): Answer {
  const { today } = outbound;
  const headers = today && { 'panel-day': today() };
  return call(outbound, server, 'GET', '/', { signal, headers });
}

/** POST /confirm-day: lines end by the day of the agent's clock. Some servers lack this call. */
export function confirmDay(
  outbound: Outbound,
  server: CardServer,
  day: string,
  signal: AbortSignal,
): Answer {
  return call(outbound, server, 'POST', '/confirm-day', { body: { day }, signal });
}

/** GET /users with credentials: a page of accounts after a given name. Some servers lack this call. */
export function listUsers(
  outbound: Outbound,
  server: CardServer,
  after: string | null,
  signal?: AbortSignal,
): Answer {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return call(outbound, server, 'GET', `/users${query}`, { signal });
}

/** GET /sessions with credentials: a page of who is on, after a given name. Some servers lack this call. */
export function listSessions(
  outbound: Outbound,
  server: CardServer,
  after: string | null,
  signal?: AbortSignal,
): Answer {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return call(outbound, server, 'GET', `/sessions${query}`, { signal });
}

/** POST /end-sessions: ends the sessions of an account if it is the line's. Some servers lack this call. */
export function postEndSessions(
  outbound: Outbound,
  server: CardServer,
  account: { username: string; line: string },
  signal?: AbortSignal,
): Answer {
  return call(outbound, server, 'POST', '/end-sessions', { body: account, signal });
}

/** POST /reload: the card server reads its accounts again now. Some servers lack this call. */
export function reloadAccounts(
  outbound: Outbound,
  server: CardServer,
  signal?: AbortSignal,
): Answer {
  return call(outbound, server, 'POST', '/reload', { body: {}, signal });
}

/** POST /show-users: the named accounts with their passwords. Some servers lack this call. */
export function showUsers(
  outbound: Outbound,
  server: CardServer,
  usernames: readonly string[],
  signal?: AbortSignal,
): Answer {
  return call(outbound, server, 'POST', '/show-users', { body: { usernames }, signal });
}

/**
 * The row may still have the password `before`. That of a suspended or deleted line may be switched off,
 * and goes.
 */
export type LineToTakeOver = WantedLine & {
  username: string;
  before: string | null;
  state: 'runs' | 'suspended' | 'deleted';
};

/** POST /take-over: rows by hand that equal these lines become the agent's. Some servers lack this call. */
export function takeOverUsers(
  outbound: Outbound,
  server: CardServer,
  lines: readonly LineToTakeOver[],
  signal?: AbortSignal,
): Answer {
  const accounts = lines.map(({ username, password, expiry_date, line, before, state }) => ({
    username,
    password,
    expiryDate: toApiDate(expiry_date),
    line,
    ...(before !== null && { before }),
    ...(state !== 'runs' && { [state]: true }),
  }));
  return call(outbound, server, 'POST', '/take-over', { body: { accounts }, signal });
}

function call(
  outbound: Outbound,
  server: CardServer,
  method: JsonRequest['method'],
  path: string,
  options: {
    body?: object;
    signal?: AbortSignal;
    isPublic?: boolean;
    headers?: Record<string, string> | undefined;
  },
): Answer {
  const { username, password } = server;
  const request: JsonRequest = {
    scheme: server.api_scheme,
    host: server.host_ip,
    port: server.api_port,
    method,
    path,
    ...(!options.isPublic && { credentials: { username, password } }),
    ...(options.body && { body: options.body }),
    ...(options.headers && { headers: options.headers }),
  };
  return requestJson(outbound, request, options.signal);
}

/**
 * Brings a line on a card server to the wanted state; null means deleted. `onServer` says whether
 * the line is assumed to exist there and only selects the first call: a wrong assumption is
 * corrected by a second call. All calls share one deadline. Never throws and is idempotent, so a
 * lost reply does no harm.
 */
export function applyWanted(
  outbound: Outbound,
  server: CardServer,
  username: string,
  wanted: WantedLine | null,
  options: { onServer: boolean; signal?: AbortSignal | undefined },
): Promise<PushResult> {
  return withinDeadline(outbound, options.signal, async (signal) => {
    if (!wanted) {
      const deleted = await deleteUser(outbound, server, username, signal);
      return isNotFound(deleted, username) ? { ok: true } : toResult(deleted, server, null);
    }
    const account = { username, ...wanted };
    const [first, second, isMistaken, isContradicted] = options.onServer
      ? ([editUser, addUser, isNotFound, isAlreadyThere] as const)
      : ([addUser, editUser, isAlreadyThere, isNotFound] as const);
    const answer = await first(outbound, server, account, signal);
    if (!isMistaken(answer, username)) return toResult(answer, server, wanted);
    const other = await second(outbound, server, account, signal);
    // A name both taken and not found is a foreign account's on that server: `taken` has the reason.
    const taken = options.onServer ? other : answer;
    return toResult(isContradicted(other, username) ? taken : other, server, wanted);
  });
}

function toResult(
  answer: Reply | Unreachable,
  server: CardServer,
  wanted: WantedLine | null,
): PushResult {
  if (answer.kind === 'unreachable') {
    return { ok: false, kind: 'unreachable', reason: answer.reason };
  }
  if (isSuccess(answer)) {
    return answer.json?.applied === false ? { ok: true, isTaken: false } : { ok: true };
  }
  const finding = notAllowed(answer.json?.data, secretsOf(server, wanted?.password));
  if (finding) return { ok: false, kind: 'refused', reason: '', finding };
  const row = rowByHand(answer);
  if (row) {
    const reason = plainText(redact(row.file, secretsOf(server)), FILE_MAX_LENGTH);
    return { ok: false, kind: row.kind, reason };
  }
  return {
    ok: false,
    kind: 'refused',
    reason: safeMessage(answer, server, wanted?.password),
    said: saidBy(answer, secretsOf(server, wanted?.password)),
    ...(isServersFault(answer) && { fault: answer.status }),
  };
}

/**
 * True if the refusal means that the server does not work or is not a card server. A working server
 * refuses a single line with a 4xx, or with a 200 whose body reports failure.
 */
function isServersFault({ status, json }: Reply): boolean {
  if (status === 401 || status === 403 || status >= 500) return true;
  if (status < 400) return json === null;
  if (status !== 404 && status !== 405) return false;
  return typeof json?.message !== 'string' || ABOUT_A_PATH.test(json.message);
}

/**
 * The message of a reply, with the secrets of the call removed in case the server echoes them.
 * Empty if there is none.
 */
export function safeMessage(reply: Reply, server: CardServer, linePassword?: string): string {
  return replyMessage(reply, secretsOf(server, linePassword));
}

/** Secrets sent with every call to this server, and the one of the line that a call was about. */
export function secretsOf(server: CardServer, linePassword?: string): string[] {
  const sent = [basicAuth(server).slice('Basic '.length), server.password];
  return linePassword ? [...sent, linePassword] : sent;
}

/**
 * True if the card server accepted the change. Neither an HTML page with status 200 nor a 200 whose
 * body reports failure counts.
 */
export function isSuccess(reply: Reply): boolean {
  if (reply.status === 204) return true;
  return hasSuccessStatus(reply) && reply.json !== null && reply.json.success !== false;
}

/** True for a 2xx status. */
export function hasSuccessStatus(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

const FILE_MAX_LENGTH = 100;
const ALREADY_THERE = /already exists|exists already|duplicate/i;
const NOT_FOUND = /not found|does not exist|unknown user|no such/i;
// Frameworks reply to an unknown path with JSON too, which says nothing about the user.
const ABOUT_A_PATH = /^(?:route|path|endpoint|url)\b/i;

/** The operator's own row for which the server refuses a change, and its file; null for every other reply. */
function rowByHand(answer: Reply | Unreachable): { kind: RowByHand; file: string } | null {
  if (answer.kind === 'unreachable') return null;
  const { code, data } = answer.json ?? {};
  const kind = rowsByHand.find((one) => one === code);
  if (!kind) return null;
  const file = typeof data === 'object' && data !== null && 'file' in data ? data.file : null;
  return { kind, file: typeof file === 'string' ? file : '' };
}

function isAlreadyThere(answer: Reply | Unreachable): boolean {
  if (rowByHand(answer)) return false;
  if (answer.kind === 'reply' && answer.status === 409) return true;
  return ALREADY_THERE.test(complaintOf(answer));
}

function isNotFound(answer: Reply | Unreachable, username: string): boolean {
  if (rowByHand(answer)) return false;
  const complaint = complaintOf(answer).toLowerCase();
  // The name is removed first, or a line named "not found" would turn every error into a successful
  // deletion.
  const name = plainText(username, Number.POSITIVE_INFINITY).toLowerCase();
  const relevant = NOT_FOUND.test(name) ? complaint.replaceAll(name, '') : complaint;
  return NOT_FOUND.test(relevant) && !ABOUT_A_PATH.test(complaint);
}

/**
 * The message of a 4xx about the line; empty for 401 and 403, which are about the panel's
 * credentials.
 */
function complaintOf(answer: Reply | Unreachable): string {
  if (answer.kind === 'unreachable' || answer.status < 400 || answer.status > 499) return '';
  if (answer.status === 401 || answer.status === 403) return '';
  return replyMessage(answer, []);
}

function toApiDate(isoDate: string): string {
  return isoDate.split('-').reverse().join('-');
}
