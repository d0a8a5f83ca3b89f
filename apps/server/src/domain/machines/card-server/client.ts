import { formatDay } from '@linekeeper/contract/dates.ts';
import { STORABLE } from '@linekeeper/contract/fields/fields.ts';
import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import {
  basicAuth,
  type JsonObject,
  type JsonRequest,
  type Outbound,
  type Reply,
  requestJson,
  type Unreachable,
  withinDeadline,
} from '../../../platform/http-client/request.ts';
import { notAllowed } from './agent-report.ts';
import {
  isObject,
  type PushFailure,
  plainText,
  Reader,
  type RowByHand,
  replyMessage,
  rowsByHand,
  saidBy,
} from './messages.ts';
import { rightsToWrite } from './rights.ts';

/** Address and credentials of a card server's API; passwords in plain text. */
export type CardServer = {
  host_ip: string;
  api_port: number;
  api_scheme: 'http' | 'https';
  username: string;
  password: string;
};

/** A card server, with the settings and the deadline of its calls. */
export interface Called {
  outbound: Outbound;
  server: CardServer;
  signal?: AbortSignal | undefined;
}

/** The intended state of a line on its card server; `expiry_date` is YYYY-MM-DD. */
export type WantedLine = {
  password: string;
  expiry_date: string;
  /** The id by which an agent recognises the line if its name or password changes; given to agents only. */
  line?: string | undefined;
  /** The former name, under which the operator may still have a row for the line; sent to agents only. */
  formerly?: string | undefined;
  /** The rights of the line there. A setting that is missing stays unchanged on the card server. */
  rights?: Rights | undefined;
};

/** The result of a push. `isTaken` is false if the change is stored there and the card server has not loaded it yet. */
export type PushResult = { ok: true; isTaken?: false } | PushFailure;

type Answer = Reply | Unreachable;

/** The calls of a card server's API. Servers without an agent of Linekeeper may lack those from `list` on. */
export const calls = {
  /** The only call without credentials. */
  health: { method: 'GET', path: '/health' },
  /** The card server returns its version, and an agent gets the panel's date. */
  auth: { method: 'GET', path: '/' },
  add: { method: 'POST', path: '/add-user' },
  edit: { method: 'PUT', path: '/edit-user' },
  delete: { method: 'DELETE', path: '/delete-user' },
  /** A page of accounts after a given name. */
  list: { method: 'GET', path: '/users' },
  /** A page of sessions, after a given name. */
  sessions: { method: 'GET', path: '/sessions' },
  /** Ends the sessions of an account if it is the line's. */
  endSessions: { method: 'POST', path: '/end-sessions' },
  /** Confirms the date of the agent's clock, by which lines end. */
  confirmDay: { method: 'POST', path: '/confirm-day' },
  /** The card server reloads its accounts immediately. */
  reload: { method: 'POST', path: '/reload' },
  /** The named accounts with their passwords. */
  show: { method: 'POST', path: '/show-users' },
  /** Groups and services that a plan can name. */
  rightsChoices: { method: 'GET', path: '/rights-choices' },
  /** Makes rows that the operator wrote, and that match the given lines, rows of the agent. */
  takeOver: { method: 'POST', path: '/take-over' },
} as const satisfies Record<string, Pick<JsonRequest, 'method' | 'path'>>;

export const isChange = (name: ServerCall) => name !== 'health' && name !== 'auth';

/**
 * Sends one request to the API of a card server, such as `add` with an account as its `body`. `after` is the name after
 * which a page of a list begins. Returns the response of any status, or why there is none: never throws, and ends at
 * the deadline of `outbound`.
 */
export function call(
  { outbound, server, signal }: Called,
  name: keyof typeof calls,
  { body, after = null }: { body?: object; after?: string | null } = {},
): Promise<Answer> {
  const { api_scheme: scheme, host_ip: host, api_port: port, username, password } = server;
  const { method, path } = calls[name];
  const request: JsonRequest = {
    scheme,
    host,
    port,
    method,
    path: after === null ? path : `${path}?after=${encodeURIComponent(after)}`,
    ...(name !== 'health' && { credentials: { username, password } }),
    ...(body && { body }),
    ...(name === 'auth' && outbound.today && { headers: { 'panel-day': outbound.today() } }),
  };
  return requestJson(outbound, request, signal);
}

/** The body of a call that changes an account. The body of an edit has only the changed fields. */
export function bodyOf(
  name: 'add' | 'edit' | 'delete',
  { username, password, expiry_date, line, formerly }: Partial<WantedLine> & { username: string },
): Record<string, string | undefined> {
  const day = expiry_date === undefined ? undefined : formatDay(expiry_date);
  if (name === 'delete') return { username };
  return name === 'add'
    ? { username, password, expiryDate: day, line, formerly }
    : { username, line, newPassword: password, newExpiryDate: day };
}

/** The field of a body with the rights of a line. Only agents get the line's id; other APIs refuse unknown fields. */
export function rightsField(wanted: WantedLine | null, before?: Rights) {
  const rights = wanted?.line === undefined ? undefined : rightsToWrite(wanted.rights, before);
  return rights && { rights };
}

/** Far more pages than any server has, so that an endless list is not followed forever. */
const MAX_PAGES = 400;
const PAGES_DEADLINE_MS = 20_000;
const MAX_NAME_LENGTH = 200;

/** True for a possible name of a line; a server may send anything in this field. */
export function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH && STORABLE.test(text);
}

/** Reads a list page by page; returns null at its end, or the response that is not a page. Never throws. */
export function readPages(
  { outbound, server, signal: outer }: Called,
  name: 'list' | 'sessions',
  take: (items: unknown[], page: JsonObject) => void,
): Promise<Answer | null> {
  const limits = { ...outbound, deadlineMs: PAGES_DEADLINE_MS };
  return withinDeadline(limits, outer, async (signal) => {
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await call({ outbound, server, signal }, name, { after });
      if (answer.kind === 'unreachable' || !hasSuccessStatus(answer) || !answer.json) return answer;
      const items = answer.json[name === 'list' ? 'users' : 'accounts'];
      if (!Array.isArray(items)) return answer;
      take(items, answer.json);
      const { next } = answer.json;
      // A next page must begin after this one, or reading would not end.
      if (typeof next !== 'string' || next === after || !isName(next)) return null;
      after = next;
    }
    return { kind: 'unreachable', reason: 'response too large' };
  });
}

/**
 * Changes a line on a card server to the wanted state; null means deleted. `onServer` is true if the line is assumed to
 * exist there, and only selects the first call: a wrong assumption is corrected by a second call. All calls share one
 * deadline. Never throws and is idempotent, so a lost response does no harm.
 */
export function applyWanted(
  { outbound, server, signal: outer }: Called,
  username: string,
  wanted: WantedLine | null,
  { onServer, rightsBefore }: { onServer: boolean; rightsBefore?: Rights | undefined },
): Promise<PushResult> {
  const rights = rightsField(wanted, rightsBefore);
  const resultOf = (answer: Answer) => {
    const result = toResult(answer, server, wanted);
    const isTaken = answer.kind === 'reply' && answer.json?.rights === true;
    return result.ok && rights && !isTaken ? refusedByOldAgent : result;
  };
  return withinDeadline(outbound, outer, async (signal) => {
    const send = (name: 'add' | 'edit' | 'delete') => {
      const body = { ...bodyOf(name, { username, ...wanted }), ...rights };
      return call({ outbound, server, signal }, name, { body });
    };
    if (!wanted) {
      const deleted = await send('delete');
      return isNotFound(deleted, username) ? { ok: true } : toResult(deleted, server, null);
    }
    const answer = await send(onServer ? 'edit' : 'add');
    const isMistaken = onServer ? isNotFound(answer, username) : isAlreadyThere(answer);
    if (!isMistaken) return resultOf(answer);
    const other = await send(onServer ? 'add' : 'edit');
    // If the server reports the name both as existing and as not found, it belongs to another
    // program's account: the first response has the reason.
    const isForeign = !onServer && isNotFound(other, username);
    return resultOf(isForeign ? answer : other);
  });
}

/** An agent that does not confirm the rights has delivered the line without them. */
const refusedByOldAgent: PushResult = {
  ok: false,
  kind: 'refused',
  reason: '',
  finding: { code: 'AGENT_WITHOUT_RIGHTS', data: {} },
};

function toResult(answer: Answer, server: CardServer, wanted: WantedLine | null): PushResult {
  if (answer.kind === 'unreachable') {
    return { ok: false, kind: 'unreachable', reason: answer.reason };
  }
  if (isSuccess(answer)) {
    return answer.json?.applied === false ? { ok: true, isTaken: false } : { ok: true };
  }
  const secrets = secretsOf(server, wanted?.password);
  const finding = notAllowed(answer.json?.data, secrets);
  if (finding) return { ok: false, kind: 'refused', reason: '', finding };
  const kind = rowByHand(answer);
  if (kind) {
    const file = isObject(answer.json?.data) ? answer.json.data.file : null;
    const reason = new Reader(secretsOf(server)).text(file, FILE_MAX_LENGTH) ?? '';
    return { ok: false, kind, reason };
  }
  return {
    ok: false,
    kind: 'refused',
    reason: replyMessage(answer, secrets),
    said: saidBy(answer, secrets),
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

/** All secrets in calls to this server, with the password of the line that a call is about. */
export function secretsOf(server: CardServer, linePassword?: string): string[] {
  const sent = [basicAuth(server).slice('Basic '.length), server.password];
  return linePassword ? [...sent, linePassword] : sent;
}

/**
 * True if a response means that the card server accepted a change: status 204, or another 2xx with
 * a JSON body that does not report a failure. An HTML page with status 200 is not a success.
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
// The start of a message about the path: frameworks reply to an unknown path with JSON too, and
// such a reply means nothing about the user.
const ABOUT_A_PATH = /^(?:route|path|endpoint|url)\b/i;

/** The row of the operator that makes the server refuse a change; undefined for another refusal. */
function rowByHand(answer: Answer): RowByHand | undefined {
  if (answer.kind === 'unreachable') return undefined;
  return rowsByHand.find((one) => one === answer.json?.code);
}

function isAlreadyThere(answer: Answer): boolean {
  if (rowByHand(answer)) return false;
  if (answer.kind === 'reply' && answer.status === 409) return true;
  return ALREADY_THERE.test(complaintOf(answer));
}

function isNotFound(answer: Answer, username: string): boolean {
  if (rowByHand(answer)) return false;
  const complaint = complaintOf(answer).toLowerCase();
  // The name is removed first, because a line named "not found" would turn every error into a successful deletion.
  const name = plainText(username, Number.POSITIVE_INFINITY).toLowerCase();
  const relevant = NOT_FOUND.test(name) ? complaint.replaceAll(name, '') : complaint;
  return NOT_FOUND.test(relevant) && !ABOUT_A_PATH.test(complaint);
}

/** The message of a 4xx about the line; empty for 401 and 403, which are about the panel's credentials. */
function complaintOf(answer: Answer): string {
  if (answer.kind === 'unreachable' || answer.status < 400 || answer.status > 499) return '';
  if (answer.status === 401 || answer.status === 403) return '';
  return replyMessage(answer, []);
}
