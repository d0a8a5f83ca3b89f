import type { Reply } from './request.ts';

export type PushOperation = 'add' | 'edit' | 'renew' | 'delete';

/**
 * Why a card server did not take a change. For `refused` the reason is the server's own message as
 * plain text, or empty when it gave none; for `unreachable` it is a short phrase of our own.
 */
export type PushFailure = { ok: false; kind: 'unreachable' | 'refused'; reason: string };

const MESSAGE_MAX_LENGTH = 200;
// Shorter secrets are part of ordinary words; hiding them would only garble the message.
const SECRET_MIN_LENGTH = 4;

const UNREACHABLE_TEXT: Record<PushOperation, string> = {
  add: 'User was added to database but could not be added to CCcam server: ',
  edit: 'User was updated in database but could not be updated in CCcam server: ',
  renew: 'User was renewed in database but could not be renewed in CCcam server: ',
  delete: 'User was deleted from database but could not be deleted from CCcam server: ',
};

const REFUSED_TEXT: Record<PushOperation, string> = {
  add: 'Failed to add user to CCcam server',
  edit: 'Failed to update user in CCcam server',
  renew: 'Failed to renew user in CCcam server',
  delete: 'Failed to delete user from CCcam server',
};

/** The sentence a user sees after a change was kept in the database but not on the card server. */
export function pushMessage(
  operation: PushOperation,
  failure: Pick<PushFailure, 'kind' | 'reason'>,
): string {
  if (failure.kind === 'unreachable') return UNREACHABLE_TEXT[operation] + failure.reason;
  return failure.reason || REFUSED_TEXT[operation];
}

/**
 * The `message` of a card server's reply, fit to show: plain text of at most 200 UTF-16 units with
 * `secrets` of 4 or more units blotted out. Empty when the reply has none.
 */
export function replyMessage(reply: Reply, secrets: string[]): string {
  const message = reply.json?.message;
  if (typeof message !== 'string') return '';
  return plainText(blotOut(message, secrets), MESSAGE_MAX_LENGTH);
}

/** A server's words without the `secrets` it was told. */
export function blotOut(text: string, secrets: string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_MIN_LENGTH)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/**
 * One line of text: white space folded, control and invisible characters (bidirectional overrides
 * among them) removed, at most `maxLength` UTF-16 units, no half surrogate pairs.
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
