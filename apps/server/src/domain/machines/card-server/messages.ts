import { agentRefusalCodes } from '@linekeeper/contract/agent-refusals.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import type { JsonObject, Reply } from '../../../platform/http-client/request.ts';

type Said = Pick<Finding['data'], 'said' | 'file' | 'fields'>;

/**
 * The codes by which an agent reports that the operator has a row with the same name as the line, or with the same
 * first 20 bytes.
 */
export const rowsByHand = ['KEPT_BY_HAND', 'SHARED_BY_HAND'] as const;
export type RowByHand = (typeof rowsByHand)[number];

/**
 * The reason why a card server did not accept a change. For `refused` it is the server's message as plain text, or
 * empty; for `unreachable` a short phrase of the panel; for a row written by hand the name of its file.
 */
export type PushFailure = {
  ok: false;
  kind: 'unreachable' | 'refused' | RowByHand;
  reason: string;
  /** The code and facts that an agent sends with its message. */
  said?: Said | undefined;
  /** The full reason, if no other field has it. */
  finding?: Finding;
  /** True if the change was not sent, because the panel was busy with other changes of that server. */
  isUntried?: true;
  /** HTTP status if the refusal is about the server itself rather than the line. */
  fault?: number;
};

const MESSAGE_MAX_LENGTH = 200;
/** The text instead of a secret in a message of a card server. */
export const DOTS = '••••••••';
// Shorter secrets are part of ordinary words; hiding them would only garble the message.
const SECRET_MIN_LENGTH = 4;

/** The finding for a change that is stored in the database but not on the card server. */
export function pushFinding(
  operation: PushOperation,
  { kind, reason, said, finding }: Pick<PushFailure, 'kind' | 'reason' | 'said' | 'finding'>,
): Finding {
  if (finding) return finding;
  if (kind === 'unreachable') return { code: 'PUSH_NOT_REACHED', data: { operation, reason } };
  if (kind === 'refused') {
    return {
      code: 'PUSH_REFUSED',
      data: { operation, ...(reason ? { words: reason, ...said } : {}) },
    };
  }
  return { code: kind, data: { operation, file: reason } };
}

/**
 * The `message` of a card server’s reply as plain text of at most 200 UTF-16 units. `secrets` of 4 or more units are
 * removed. Empty if the reply has no message.
 */
export function replyMessage({ json }: Reply, secrets: string[]): string {
  return new Reader(secrets).text(json?.message, MESSAGE_MAX_LENGTH) ?? '';
}

/** The code of an agent's refusal, by which its message is translated, with its facts; undefined for other servers. */
export function saidBy({ json }: Reply, secrets: string[]): Said | undefined {
  const said = agentRefusalCodes.find((code) => code === json?.code);
  if (!said) return undefined;
  const read = new Reader(secrets);
  const data = isObject(json?.data) ? json.data : {};
  const file = read.text(data.file, MESSAGE_MAX_LENGTH);
  const field = read.text(data.field, MESSAGE_MAX_LENGTH);
  return { said, ...(file && { file }), ...(field && { fields: [field] }) };
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NAMES_KEPT = 20;
const NAME_MAX_LENGTH = 64;

/** Reads untrusted input: a value of the wrong type counts as missing, and a longer text is cut. */
export class Reader {
  readonly #secrets: string[];

  constructor(secrets: string[]) {
    this.#secrets = secrets;
  }

  text(value: unknown, maxLength: number): string | null {
    if (typeof value !== 'string') return null;
    return plainText(redact(value, this.#secrets), maxLength) || null;
  }

  names(value: unknown): string[] {
    if (!Array.isArray(value)) return [];
    return value
      .slice(0, NAMES_KEPT)
      .map((name) => this.text(name, NAME_MAX_LENGTH))
      .filter((name) => name !== null);
  }
}

/** Removes `secrets` that were sent to the server from its message. */
function redact(text: string, secrets: string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_MIN_LENGTH)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/**
 * One line of text: white space collapsed, control and invisible characters (including
 * bidirectional overrides) removed, at most `maxLength` UTF-16 units, no split surrogate pairs.
 */
export function plainText(text: string, maxLength: number): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .trim()
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}
