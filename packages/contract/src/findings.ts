import * as z from 'zod';
import { type PushOperation, pushOperations } from './servers/push-operations.ts';

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
 * The results of pushes, tests and calls to a card server, with their exact English sentences;
 * pushes have one for each operation. `{name}` in a sentence is filled from the finding's `data`.
 * The web app translates by code. If `data` has `words`, the card server's own message, they are
 * the sentence.
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
  NOT_REACHED: 'Failed to connect to server: {reason}',
  HEALTH_CHECK_FAILED: 'Health check failed with status: {status}',
  AUTHENTICATION_FAILED: 'Authentication failed with status: {status}',
  API_NOT_RESPONDING: 'CCcam server API is not responding. HTTP status: {status}',
  API_AUTHENTICATION_FAILED: 'API Authentication failed. HTTP status: {status}',
  CONFIGURATION_INCOMPLETE: 'Server configuration is incomplete. Missing fields: {fields}',
  NO_USER_LIST: 'The card server has no list of its users. HTTP status: {status}',
  ACCOUNTS_LOST: 'The card server has lost its accounts. Missing: {missing}',
  /** For sentences stored by earlier versions that match no other code. */
  IN_OTHER_WORDS: '{words}',
} as const satisfies Record<string, string | Record<PushOperation, string>>;

export type FindingCode = keyof typeof findings;
export const findingCodes = Object.keys(findings) as [FindingCode, ...FindingCode[]];

export const finding = z
  .object({
    code: z.enum(findingCodes),
    data: z.object({
      operation: z.enum(pushOperations).optional(),
      /** One of `unreachableReasons`, or a different one stored by an earlier version. */
      reason: z.string().optional(),
      /** The card server's own message, as plain text. */
      words: z.string().optional(),
      /** HTTP status of the card server's reply. */
      status: z.number().int().optional(),
      fields: z.array(z.string()).optional(),
      missing: z.number().int().optional(),
    }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.output<typeof finding>;

/** A reply that an earlier version stored for an Idempotency-Key has no finding. */
export const optionalFinding = finding.nullish();

/** The English sentence of a finding. */
export function findingText({ code, data }: Finding): string {
  if (data.words !== undefined) return data.words;
  const sentence: string | Record<PushOperation, string> = findings[code];
  const text = typeof sentence === 'string' ? sentence : sentence[data.operation ?? 'edit'];
  return text.replace(/\{(\w+)\}/g, (_, name: keyof Finding['data']) => {
    const value = data[name] ?? '';
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}

/** A finding together with its English sentence, as replies contain them. */
export function findingWithMessage(found: Finding | null) {
  return { finding: found, message: found && findingText(found) };
}
