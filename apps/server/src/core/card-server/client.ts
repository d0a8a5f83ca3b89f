import { type PushFailure, plainText, replyMessage } from './messages.ts';
import {
  basicAuth,
  type JsonRequest,
  type Outbound,
  type Reply,
  requestJson,
  type Unreachable,
  withinDeadline,
} from './request.ts';

/** Where a card server's API listens and who may use it; passwords in the clear. */
export type CardServer = {
  host_ip: string;
  api_port: number;
  api_scheme: 'http' | 'https';
  username: string;
  password: string;
};

/** What a line should look like on its card server; `expiry_date` is YYYY-MM-DD. */
export type WantedLine = { password: string; expiry_date: string };

export type PushResult = { ok: true } | PushFailure;

type Answer = Promise<Reply | Unreachable>;

/** POST /add-user. Like its siblings it never throws and ends at the outbound's deadline. */
export function addUser(
  outbound: Outbound,
  server: CardServer,
  account: WantedLine & { username: string },
  signal?: AbortSignal,
): Answer {
  const { username, password, expiry_date } = account;
  const body = { username, password, expiryDate: toApiDate(expiry_date) };
  return call(outbound, server, 'POST', '/add-user', { body, signal });
}

/** PUT /edit-user with what is given of password and expiry date (YYYY-MM-DD). */
export function editUser(
  outbound: Outbound,
  server: CardServer,
  change: Partial<WantedLine> & { username: string },
  signal?: AbortSignal,
): Answer {
  const { username, password, expiry_date } = change;
  const body = {
    username,
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

/** GET /health, the one call without credentials. */
export function getHealth(outbound: Outbound, server: CardServer, signal?: AbortSignal): Answer {
  return call(outbound, server, 'GET', '/health', { signal, isPublic: true });
}

/** GET / with credentials; a card server answers with its version. */
export function getRoot(outbound: Outbound, server: CardServer, signal?: AbortSignal): Answer {
  return call(outbound, server, 'GET', '/', { signal });
}

/** GET /users with credentials: a page of what the server has, behind a name. Not every server has it. */
export function listUsers(
  outbound: Outbound,
  server: CardServer,
  after: string | null,
  signal?: AbortSignal,
): Answer {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return call(outbound, server, 'GET', `/users${query}`, { signal });
}

function call(
  outbound: Outbound,
  server: CardServer,
  method: JsonRequest['method'],
  path: string,
  options: { body?: object; signal?: AbortSignal; isPublic?: boolean },
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
  };
  return requestJson(outbound, request, options.signal);
}

/**
 * Brings one line on a card server to what is wanted; null means gone. `onServer` says whether the
 * line is believed to be there already, which only chooses the first call: a wrong belief is
 * corrected by a second one. All of it ends within one deadline. Never throws, and may be repeated:
 * a lost reply does no harm.
 */
export function applyWanted(
  outbound: Outbound,
  server: CardServer,
  username: string,
  wanted: WantedLine | null,
  options: { onServer: boolean; signal?: AbortSignal },
): Promise<PushResult> {
  return withinDeadline(outbound, options.signal, async (signal) => {
    if (!wanted) {
      const deleted = await deleteUser(outbound, server, username, signal);
      return isNotFound(deleted, username) ? { ok: true } : toResult(deleted, server, null);
    }
    const account = { username, ...wanted };
    const [first, second, isMistaken] = options.onServer
      ? ([editUser, addUser, isNotFound] as const)
      : ([addUser, editUser, isAlreadyThere] as const);
    const answer = await first(outbound, server, account, signal);
    const last = isMistaken(answer, username)
      ? await second(outbound, server, account, signal)
      : answer;
    return toResult(last, server, wanted);
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
  if (isSuccess(answer)) return { ok: true };
  return { ok: false, kind: 'refused', reason: safeMessage(answer, server, wanted?.password) };
}

/**
 * A reply's message with the secrets of that call blotted out, should the server have echoed them.
 * Empty when there is none.
 */
export function safeMessage(reply: Reply, server: CardServer, linePassword?: string): string {
  return replyMessage(reply, [...secretsOf(server), ...(linePassword ? [linePassword] : [])]);
}

/** What every call tells a card server and nobody else may read. */
export function secretsOf(server: CardServer): string[] {
  return [basicAuth(server).slice('Basic '.length), server.password];
}

/**
 * Whether a card server took a change. A web page with status 200 is not a card server's yes, nor is a
 * 200 whose body says that it failed.
 */
export function isSuccess(reply: Reply): boolean {
  if (reply.status === 204) return true;
  return isTwoHundred(reply) && reply.json !== null && reply.json.success !== false;
}

/** Whether the status alone says success. */
export function isTwoHundred(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

const ALREADY_THERE = /already exists|exists already|duplicate/i;
const NOT_FOUND = /not found|does not exist|unknown user|no such/i;
// Frameworks answer a wrong path with JSON too: that says nothing about the user.
const ABOUT_A_PATH = /^(?:route|path|endpoint|url)\b/i;

function isAlreadyThere(answer: Reply | Unreachable): boolean {
  if (answer.kind === 'reply' && answer.status === 409) return true;
  return ALREADY_THERE.test(complaintOf(answer));
}

function isNotFound(answer: Reply | Unreachable, username: string): boolean {
  const complaint = complaintOf(answer).toLowerCase();
  // A line named "not found" must not turn every complaint about it into a success on deletion.
  const name = plainText(username, Number.POSITIVE_INFINITY).toLowerCase();
  const relevant = NOT_FOUND.test(name) ? complaint.replaceAll(name, '') : complaint;
  return NOT_FOUND.test(relevant) && !ABOUT_A_PATH.test(complaint);
}

/** What a 4xx says about the line; empty for 401 and 403, which speak of the panel's own account. */
function complaintOf(answer: Reply | Unreachable): string {
  if (answer.kind === 'unreachable' || answer.status < 400 || answer.status > 499) return '';
  if (answer.status === 401 || answer.status === 403) return '';
  return replyMessage(answer, []);
}

function toApiDate(isoDate: string): string {
  return isoDate.split('-').reverse().join('-');
}
