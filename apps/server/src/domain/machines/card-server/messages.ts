import { agentRefusalCodes } from '@linekeeper/contract/agent-refusals.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import type { JsonObject, Reply } from '../../../platform/http-client/request.ts';

type Said = Pick<Finding['data'], 'said' | 'file' | 'fields'>;

/**
 * An agent's codes for a row of the operator's own: with the line's name, or with its first 20 bytes in
 * common.
 */
export const rowsByHand = ['KEPT_BY_HAND', 'SHARED_BY_HAND'] as const;
export type RowByHand = (typeof rowsByHand)[number];

/**
 * The reason why a card server did not take a change. For `refused` it is the server's own message
 * as plain text, or empty; for `unreachable` a short phrase of ours; for rows by hand the name of the file.
 */
export type PushFailure = {
  ok: false;
  kind: 'unreachable' | 'refused' | RowByHand;
  reason: string;
  /** Facts that an agent names beside its message. */
  said?: Said | undefined;
  /** The reason in full, where the others do not say it. */
  finding?: Finding;
  /** Nothing was tried, because the panel was busy with other changes of that server. */
  isUntried?: true;
  /** HTTP status if the refusal is about the server itself rather than the line. */
  fault?: number;
};

const MESSAGE_MAX_LENGTH = 200;
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
 * The `message` of a card server's reply, safe to show: plain text of at most 200 UTF-16 units,
 * with `secrets` of 4 or more units removed. Empty if there is none.
 */
export function replyMessage(reply: Reply, secrets: string[]): string {
  const message = reply.json?.message;
  if (typeof message !== 'string') return '';
  return plainText(redact(message, secrets), MESSAGE_MAX_LENGTH);
}

/** An agent's code for a refusal, by which its message is translated; undefined for other servers. */
export function saidBy({ json }: Reply, secrets: string[]): Said | undefined {
  const said = agentRefusalCodes.find((code) => code === json?.code);
  if (!said) return undefined;
  const data = typeof json?.data === 'object' && json.data !== null ? json.data : {};
  const textOf = (name: 'file' | 'field') => {
    const value: unknown = Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;
    return typeof value === 'string' ? plainText(redact(value, secrets), MESSAGE_MAX_LENGTH) : '';
  };
  const [file, field] = [textOf('file'), textOf('field')];
  return { said, ...(file && { file }), ...(field && { fields: [field] }) };
}

/** Removes `secrets` that were sent to the server from its message. */
export function redact(text: string, secrets: string[]): string {
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
