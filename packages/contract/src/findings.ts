import * as z from 'zod';
import { agentRefusalCodes } from './agent-refusals.ts';
import { entity } from './endpoint.ts';
import { type PushOperation, pushOperations } from './push-operations.ts';

/** Reasons for not reaching a card server. They contain no address and no part of a response. */
export const unreachableReasons = [
  'certificate not trusted',
  'connection closed early',
  'connection failed',
  'connection refused',
  'connection reset',
  'connection timed out',
  'host not found or not allowed',
  'invalid response',
  'network unreachable',
  'request cancelled',
  'response too large',
  'secure connection failed',
] as const;
export type UnreachableReason = (typeof unreachableReasons)[number];

export function isUnreachableReason(text: string): text is UnreachableReason {
  return (unreachableReasons as readonly string[]).includes(text);
}

/**
 * The results of pushes, tests and calls to a card server, with their exact English sentences: one for each operation
 * of a push, and one for each reason why a change was not loaded. `{name}` in a sentence is filled from the finding's
 * `data`. The web app translates by code. If `data` has `words`, the sentence is the card server's own message; for an
 * agent, `said` is the code by which the web app translates it.
 */
export const findings = {
  PUSH_NOT_REACHED: {
    add: 'User was added to database but could not be added to CCcam server: {reason}',
    edit: 'User was updated in database but could not be updated in CCcam server: {reason}',
    renew: 'User was renewed in database but could not be renewed in CCcam server: {reason}',
    delete: 'User was deleted from database but could not be deleted from CCcam server: {reason}',
  },
  PUSH_REFUSED: {
    add: 'Failed to add user to CCcam server',
    edit: 'Failed to update user in CCcam server',
    renew: 'Failed to renew user in CCcam server',
    delete: 'Failed to delete user from CCcam server',
  },
  /** The server has not responded yet; the attempt continues. */
  PUSH_PENDING: {
    add: 'User was added to database; delivery to CCcam server is pending',
    edit: 'User was updated in database; delivery to CCcam server is pending',
    renew: 'User was renewed in database; delivery to CCcam server is pending',
    delete: 'User was deleted from database; delivery to CCcam server is pending',
  },
  /** A row of the operator's with this name. */
  KEPT_BY_HAND:
    '“{file}” still has a row written by hand for this username. Take it over in the panel, or remove it from the file.',
  /** A row of the operator's whose name CCcam clients send in the same way as this line's. */
  SHARED_BY_HAND:
    '“{file}” has a row written by hand whose username starts with the same 20 bytes. CCcam clients send only those. Choose a different username, or change that row.',
  /** A renamed or moved line still works by its former account, which follows every change of the line. */
  WORKS_AS:
    'The line works as “{works_as}”. The new username already exists on the server, in a row written by hand in “{file}”.',
  WORKS_ON:
    'The line works on {works_on}. Its username is already on this server, in a row written by hand in “{file}”.',
  /** The new name works, but the card server has kept the former one, too. */
  FORMER_STAYS:
    'The customer can still connect as “{works_as}”, because the card server has not removed that account.',
  /** The change was delivered to the agent, which cannot make the card server load it. */
  NOT_TAKEN: {
    NOT_CONFIGURED:
      'Nothing makes the card server reload its accounts. Set OSCAM_WEBIF_URL or RELOAD_COMMAND for its agent.',
    NOT_READ_YET: 'The card server has not reloaded its accounts yet.',
    WEBIF_UNREACHABLE:
      'The agent cannot reach OSCam’s web interface ({reason}). Check OSCAM_WEBIF_URL on the card server.',
    WEBIF_SIGN_IN:
      'OSCam’s web interface refuses the agent’s sign-in ({status}). Check OSCAM_WEBIF_USER and OSCAM_WEBIF_PASSWORD on the card server.',
    WEBIF_FORBIDDEN:
      'OSCam’s web interface does not allow the agent’s address ({status}). Add that address to httpallowed in oscam.conf.',
    WEBIF_READ_ONLY:
      'OSCam’s web interface is read-only. Set httpreadonly = 0 in oscam.conf, or use RELOAD_COMMAND.',
    WEBIF_NOT_OSCAM:
      'OSCAM_WEBIF_URL does not point to OSCam’s web interface. Check it on the card server.',
    WEBIF_CERTIFICATE:
      'The agent does not trust the certificate of OSCam’s web interface. If it is yours, set OSCAM_WEBIF_FINGERPRINT={fingerprint} on the card server.',
    WEBIF_NAMES_UNKNOWN:
      'OSCam has reloaded its accounts, but does not know all the usernames that were delivered. Unknown: {missing}. Check that OSCam reads the agent’s oscam.user.',
    COMMAND_FAILED:
      'RELOAD_COMMAND ended with exit code {exit_code}. See the agent’s log on the card server.',
    COMMAND_KILLED:
      'RELOAD_COMMAND was killed by {signal}. See the agent’s log on the card server.',
    COMMAND_TIMEOUT:
      'RELOAD_COMMAND did not finish within {seconds} s. See the agent’s log on the card server.',
    COMMAND_NOT_FOUND:
      'RELOAD_COMMAND names a program that does not exist. Check it on the card server.',
  },
  /** The agent reports that it cannot write its files. */
  AGENT_NOT_ALLOWED:
    'The agent is not allowed to write to {path} ({reason}). It runs as {user}, and the owner and permissions there are {owner}. Update the agent on the card server again, or give it write permission there.',
  RELOAD_NOT_OFFERED: 'This card server cannot reload its accounts on request.',
  ANOTHER_DAY:
    'The card server has the date {day} ({zone}), and the panel has {panel_day} ({panel_zone}). Check the clock and time zone on the card server, and TIME_ZONE of its agent if it is set.',
  /** The agent's clock differs from the panel's, or from its own earlier time, by more than a day. */
  DAY_HELD:
    'The card server has the date {day}, but lines there still expire by the date {held_day}: its date jumped, or differs from the panel’s ({panel_day}). Correct its clock, or confirm the date if it is correct.',
  NOT_REACHED: 'Failed to connect to server: {reason}',
  HEALTH_CHECK_FAILED: 'Health check failed with status: {status}',
  AUTHENTICATION_FAILED: 'Authentication failed with status: {status}',
  API_NOT_RESPONDING: 'CCcam server API is not responding. HTTP status: {status}',
  API_AUTHENTICATION_FAILED: 'API Authentication failed. HTTP status: {status}',
  CONFIGURATION_INCOMPLETE: 'Server configuration is incomplete. Missing fields: {fields}',
  NO_USER_LIST: 'The card server does not list its users. HTTP status: {status}',
  NO_TAKE_OVER: 'The card server cannot take over rows. HTTP status: {status}',
  ACCOUNTS_LOST: 'The card server has lost lines. Missing: {missing}',
  /** The agent of a CCcam cannot read which lines are online. */
  CCCAM_INFO_NOT_READ:
    'The agent cannot read CCcam’s information port ({reason}). Check CCCAM_INFO_URL, CCCAM_INFO_USER and CCCAM_INFO_PASSWORD on the card server.',
  /** The line is delivered without the rights of its plan. */
  AGENT_WITHOUT_RIGHTS:
    'The agent on the card server is too old for plans, so the line works without the settings of its plan. Update the agent.',
  /** The findings from here on, down to RIGHTS_NOT_KEPT, are those of OSCam's web interface. */
  OSCAM_READ_ONLY: 'OSCam’s web interface is read-only. Set httpreadonly = 0 in oscam.conf.',
  OSCAM_NOT_WRITTEN:
    'OSCam could not write its oscam.user, so the change would be lost at its next start. Check disk space and permissions on its machine.',
  OSCAM_SIGN_IN:
    'OSCam’s web interface refuses this username or password. Enter httpuser and httppwd from its oscam.conf.',
  OSCAM_FORBIDDEN:
    'OSCam’s web interface does not allow the panel’s address. Add that address to httpallowed in oscam.conf.',
  NOT_OSCAM: 'The program at this address is not OSCam’s web interface. Check host and port.',
  CERTIFICATE_UNKNOWN:
    'The server uses a self-signed certificate. Confirm it if this is its SHA-256 fingerprint: {fingerprint}',
  CERTIFICATE_CHANGED:
    'The server’s certificate differs from the confirmed one. Confirmed: {confirmed}. Now: {fingerprint}',
  PLAIN_HTTP:
    'Without HTTPS, the password would cross a public network unencrypted. Use HTTPS, or allow plain HTTP for this server.',
  HTTPS_EXPECTED: 'This port accepts only HTTPS. Turn on HTTPS for this server.',
  HTTP_EXPECTED:
    'This port accepts only plain HTTP. Turn off HTTPS for this server, or turn it on in OSCam.',
  CHANGED_THERE:
    'Someone else keeps changing this line in OSCam: three times it differed from what was saved.',
  SERVICES_TOO_LONG:
    'This line has more services in OSCam than can be saved without losing some. Reduce them in OSCam.',
  RIGHTS_NOT_KEPT:
    'OSCam has not kept all settings of the plan. Missing: {fields}. Add missing services in OSCam, or change the plan.',
  /** The message of a card server or its agent. */
  IN_OTHER_WORDS: '{words}',
} as const satisfies Record<
  string,
  string | Record<PushOperation, string> | Record<string, string>
>;

/** The reason why a card server has not loaded its agent's changes. */
export type ReloadCause = keyof typeof findings.NOT_TAKEN;
export const reloadCauses = Object.keys(findings.NOT_TAKEN) as [ReloadCause, ...ReloadCause[]];

export type FindingCode = keyof typeof findings;
const findingCodes = Object.keys(findings) as [FindingCode, ...FindingCode[]];

export const finding = entity('Finding', {
  code: z.enum(findingCodes),
  data: z.object({
    operation: z.enum(pushOperations).optional(),
    /** One of `unreachableReasons`, or a reason stored by an earlier version. */
    reason: z.string().optional(),
    words: z.string().optional(),
    /** Facts that the agent sends with its sentence and that have a translation. */
    said: z.enum(agentRefusalCodes).optional(),
    /** HTTP status of the card server's response. */
    status: z.number().int().optional(),
    fields: z.array(z.string()).optional(),
    /** A path that an agent may not write; the next fields are its owner, group and rights, and the agent's user. */
    path: z.string().optional(),
    owner: z.string().optional(),
    user: z.string().optional(),
    missing: z.number().int().optional(),
    /** The file with a row of the operator's, or the files that an agent could not read or write. */
    file: z.string().optional(),
    works_as: z.string().optional(),
    works_on: z.string().optional(),
    cause: z.enum(reloadCauses).optional(),
    fingerprint: z.string().optional(),
    confirmed: z.string().optional(),
    exit_code: z.number().int().optional(),
    signal: z.string().optional(),
    seconds: z.number().int().optional(),
    /** Days and time zones of a card server's agent and of the panel. */
    zone: z.string().optional(),
    day: z.string().optional(),
    panel_zone: z.string().optional(),
    panel_day: z.string().optional(),
    held_day: z.string().optional(),
    port_answers: z.boolean().optional(),
  }),
});
export type Finding = z.output<typeof finding>;

const NO_ACCESS: readonly FindingCode[] = [
  'AGENT_NOT_ALLOWED',
  'CERTIFICATE_CHANGED',
  'CERTIFICATE_UNKNOWN',
  'CONFIGURATION_INCOMPLETE',
  'HTTPS_EXPECTED',
  'HTTP_EXPECTED',
  'OSCAM_FORBIDDEN',
  'OSCAM_NOT_WRITTEN',
  'OSCAM_READ_ONLY',
  'OSCAM_SIGN_IN',
  'PLAIN_HTTP',
];
const UNAUTHORIZED: readonly unknown[] = [401, 403];

/**
 * True if only the panel is locked out: the server or its port for customers responds, or is not tried, so that
 * customers can connect but no change can be made.
 */
export function isNoAccess({ code, data }: Finding): boolean {
  if (data.port_answers) return true;
  if (code === 'NOT_REACHED') return data.reason === 'certificate not trusted';
  const isSignIn = code === 'AUTHENTICATION_FAILED' || code === 'API_AUTHENTICATION_FAILED';
  return NO_ACCESS.includes(code) || (isSignIn && UNAUTHORIZED.includes(data.status));
}

/** A finding in a response; null if there is nothing to report. */
export const optionalFinding = finding.nullable();

/** A finding and its English sentence in a response; null if there is nothing to report. */
export const findingReply = { message: z.string().nullable(), finding: optionalFinding };

/** Result of the push; `message` is the error if `ok` is false. */
export const sync = z.object({ ok: z.boolean(), message: z.string().nullable() });
export type Sync = z.output<typeof sync>;

/**
 * Fields of a response to a change of a line: the result of its push to the card server, as an
 * English sentence and as a finding.
 */
export const syncReply = { sync, sync_finding: optionalFinding };

function sentenceOf(code: FindingCode, { operation, cause }: Finding['data']): string {
  if (code === 'NOT_TAKEN') return findings.NOT_TAKEN[cause ?? 'NOT_READ_YET'];
  const sentence: string | Record<PushOperation, string> = findings[code];
  return typeof sentence === 'string' ? sentence : sentence[operation ?? 'edit'];
}

/** The English sentence of a finding. */
export function findingText({ code, data }: Finding): string {
  if (data.words !== undefined) return data.words;
  const text = sentenceOf(code, data);
  return text.replace(/\{(\w+)\}/g, (_, name: keyof Finding['data']) => {
    const value = data[name] ?? '';
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}

/** A finding together with its English sentence, as responses contain them. */
export function findingWithMessage(found: Finding | null) {
  return { finding: found, message: found && findingText(found) };
}
