import { parseDay, today } from '@linekeeper/contract/dates.ts';
import { STORABLE } from '@linekeeper/contract/fields/fields.ts';
import {
  type Finding,
  type ReloadCause,
  reloadCauses,
  type UnreachableReason,
} from '@linekeeper/contract/findings.ts';
import type { ServerRow } from '../../../db/schema/schema.ts';
import { type JsonObject, REASONS, type Reply } from '../../../platform/http-client/request.ts';
import { isObject, Reader } from './messages.ts';

type Reported = Pick<
  ServerRow,
  'reload' | 'agent_version' | 'zone' | 'server_day' | 'names_by_hand'
>;

/** The agent’s response to GET /. Fields that the agent does not report are null. */
export interface AgentReport extends Reported {
  /** The agent's reason for a delay, even if no change has waited long enough for a finding. */
  obstacle: Finding | null;
  /** The moment at which the zone had that difference from UTC; null for a zone with a name. */
  zone_at: Date | null;
  /** The date that the agent uses while the date of its clock is not confirmed; null if it uses the latter. */
  held_day: string | null;
  /** The reason why the agent may not write its files; null if it may, or does not report it. */
  not_allowed: Finding | null;
}

/** Seconds after which a pending change is reported. A card server usually reloads its accounts within seconds. */
export const OVERDUE_SECONDS = 10;

const WORD_MAX_LENGTH = 100;
const SENTENCE_MAX_LENGTH = 200;
const MOST = 10_000_000;

/** A whole number within bounds, from untrusted input; null for anything else. */
export function wholeNumber(value: unknown, least = 0, most = MOST): number | null {
  const isSound = typeof value === 'number' && Number.isInteger(value);
  return isSound && value >= least && value <= most ? value : null;
}

/** A moment in ISO 8601, from untrusted input; null for anything else. */
export function moment(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > WORD_MAX_LENGTH) return null;
  const at = new Date(value);
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? at.toISOString() : null;
}

function choice<Value>(value: unknown, values: readonly Value[]): Value | null {
  return values.find((one) => one === value) ?? null;
}

/** Reads GET /. `secrets` are removed from every text, in case the server echoes them. */
export function reportOf(
  { json, sent_at }: Pick<Reply, 'json' | 'sent_at'>,
  secrets: string[],
): AgentReport {
  const { message, version, zone, names_by_hand: names, not_written } = json ?? {};
  const dayOf = (value: unknown) => (typeof value === 'string' ? parseDay(value) : null);
  const isAgent = message === 'Linekeeper agent' && typeof version === 'string';
  const isName = (name: unknown) => typeof name === 'string' && STORABLE.test(name);
  return {
    ...reloadOf({ json, sent_at }, secrets, OVERDUE_SECONDS),
    agent_version: isAgent && /^[\w.-]{1,40}$/.test(version) ? version : null,
    zone_at: null,
    zone: typeof zone === 'string' && /^[\w+\-/]{1,64}$/.test(zone) ? zone : null,
    server_day: dayOf(json?.day),
    held_day: dayOf(json?.held_day),
    names_by_hand: Array.isArray(names) && names.every(isName) ? names : null,
    not_allowed: notAllowed(not_written, secrets),
  };
}

const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS'] as const;

/** The finding of an agent that may not write a file, from its response to GET / or from its refusal of a change. */
export function notAllowed(given: unknown, secrets: string[]): Finding | null {
  if (!isObject(given)) return null;
  const read = new Reader(secrets);
  const reason = choice(given.reason, NOT_ALLOWED);
  const path = read.text(given.path, SENTENCE_MAX_LENGTH);
  if (!reason || !path) return null;
  const owner = read.text(given.owner, WORD_MAX_LENGTH) ?? '?';
  const user = read.text(given.user, WORD_MAX_LENGTH) ?? '?';
  return { code: 'AGENT_NOT_ALLOWED', data: { reason, path, owner, user } };
}

/**
 * Reads `reload` from a response. A wait becomes a finding after `overdueSeconds`, measured by the agent's own clock,
 * which the Date header of the response gives.
 */
export function reloadOf(
  { json, sent_at }: Pick<Reply, 'json' | 'sent_at'>,
  secrets: string[],
  overdueSeconds: number,
): Pick<AgentReport, 'reload' | 'obstacle'> {
  const report = json?.reload;
  if (!isObject(report)) return { reload: null, obstacle: null };
  const read = new Reader(secrets);
  const waiting = wholeNumber(report.waiting) ?? 0;
  const since = waiting > 0 ? moment(report.since) : null;
  const reload = {
    by: choice(report.by, ['webif', 'command'] as const),
    ok: typeof report.ok === 'boolean' ? report.ok : null,
    at: moment(report.at),
    ok_at: moment(report.ok_at),
    waiting,
    since,
    cannot_connect: Math.min(waiting, wholeNumber(report.cannot_connect) ?? 0),
    names: waiting > 0 ? read.names(report.names) : [],
    still_connect: Math.min(waiting, wholeNumber(report.still_connect) ?? 0),
    still_names: waiting > 0 ? read.names(report.still_names) : [],
    card_server: read.text(report.server, WORD_MAX_LENGTH),
    started_at: moment(report.started_at),
  };
  const obstacle = obstacleOf(report, read);
  const isQuiet =
    waiting === 0 ? !obstacle : since !== null && !hasPassed(since, sent_at, overdueSeconds);
  const isSaid = !isQuiet || obstacle?.data.cause === 'NOT_CONFIGURED';
  return { reload: { ...reload, finding: isSaid ? (obstacle ?? NOT_READ_YET) : null }, obstacle };
}

export const NOT_READ_YET: Finding = { code: 'NOT_TAKEN', data: { cause: 'NOT_READ_YET' } };

/** True if the seconds have passed. A moment in the future comes from a wrong clock, and counts as past. */
function hasPassed(since: string, now: Date, seconds: number): boolean {
  const age = now.getTime() - Date.parse(since);
  return age < -1000 * seconds || age >= 1000 * seconds;
}

/** Reasons for not reaching something, by the error code that the agent reports. */
const AGENT_REASONS = new Map<string, UnreachableReason>([
  ...Object.entries(REASONS),
  ['ECONNRESET', 'connection reset'],
  ['ENOTFOUND', 'host not found or not allowed'],
]);

/** The finding in an agent's response about why its card server has not loaded changes; null if there is none. */
export function obstacleOf(
  { code, message, data: given }: JsonObject,
  read: Reader,
): Finding | null {
  if (typeof code !== 'string') return null;
  const report = isObject(given) ? given : {};
  const signal = read.text(report.signal, WORD_MAX_LENGTH);
  const isKilled = code === 'COMMAND_FAILED' && signal !== null;
  const cause = isKilled ? 'COMMAND_KILLED' : choice<ReloadCause>(code, reloadCauses);
  if (!cause) {
    const words = read.text(message, SENTENCE_MAX_LENGTH);
    return { code: 'NOT_TAKEN', data: words ? { words } : { cause: 'NOT_READ_YET' } };
  }
  const reason = read.text(report.reason, WORD_MAX_LENGTH);
  const facts = {
    status: wholeNumber(report.status),
    missing: wholeNumber(report.count),
    exit_code: wholeNumber(report.exit_code),
    seconds: wholeNumber(report.seconds),
    signal,
    reason: reason && (AGENT_REASONS.get(reason) ?? reason),
    fingerprint: read.text(report.fingerprint, WORD_MAX_LENGTH),
  };
  const given_facts = Object.entries(facts).filter(([, fact]) => fact !== null);
  return { code: 'NOT_TAKEN', data: { cause, ...Object.fromEntries(given_facts) } };
}

/** Milliseconds by which clocks may differ between the question and the response. */
const CLOCKS_APART_MS = 60_000;

/** The finding of a card server whose date differs from the panel's, or waits to be confirmed. */
export function dayFinding(
  report: Pick<AgentReport, 'zone' | 'server_day' | 'held_day'> & { zone_at?: Date | null },
  panel_zone: string,
  now: Date = new Date(),
): Finding | null {
  const { zone, server_day, held_day, zone_at } = report;
  const panel_day = today(panel_zone, now);
  const theirs = zone === null ? null : clockIn(zone, now);
  const day = server_day ?? theirs?.slice(0, panel_day.length) ?? null;
  if (day === null) return null;
  const data = { zone: zone ?? '?', day, panel_zone, panel_day };
  if (held_day !== null) return { code: 'DAY_HELD', data: { ...data, held_day } };
  const around = [-CLOCKS_APART_MS, CLOCKS_APART_MS].map((ms) =>
    today(panel_zone, new Date(now.getTime() + ms)),
  );
  // A difference from UTC that was reported before the clocks changed does not prove today's date.
  if (zone && zone_at && clockIn(zone, zone_at) === clockIn(panel_zone, zone_at)) return null;
  return around.includes(day) ? null : { code: 'ANOTHER_DAY', data };
}

/** Day and minute in a time zone; null if there is no such zone. */
function clockIn(timeZone: string, now: Date): string | null {
  try {
    return now.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  } catch {
    return null;
  }
}

/** The report of a card server that reports nothing about itself. */
export const NO_REPORT = reportOf({ json: null, sent_at: new Date(0) }, []);
