import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../keys/same-secret.ts';

/** RFC 6238 as every authenticator app does it by default: SHA-1, 30 seconds, 6 digits. */
export const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Steps that a phone's clock may be off, either way. */
export const DRIFT_STEPS = 1;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ISSUER = 'Linekeeper';

/** Encodes without padding: the secrets here have 160 bits, which are whole groups of five. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => LETTERS[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** A new secret in base32, as apps take it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The address in the QR code that authenticator apps scan. */
export function otpauthUrl(secret: string, email: string): string {
  const query = new URLSearchParams({ secret, issuer: ISSUER });
  return `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?${query}`;
}

/** The code of a time step, counted from 1970. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step around `now` that has this code; null if none has. Newer steps are preferred. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  for (let step = now + DRIFT_STEPS; step >= now - DRIFT_STEPS; step--) {
    if (isSameSecret(code, totpCode(secret, step))) return step;
  }
  return null;
}
