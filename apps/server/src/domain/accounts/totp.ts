import { Secret, TOTP } from 'otpauth';

/** Parameters of RFC 6238 as every authenticator app has them by default: SHA-1, 30 seconds, 6 digits. */
export const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** Time steps by which a phone's clock may be wrong in either direction. */
export const DRIFT_STEPS = 1;
const ISSUER = 'Linekeeper';

const totpOf = (secret: string) => new TOTP({ secret, period: STEP_SECONDS });
const millisecondsOf = (step: number) => step * STEP_SECONDS * 1000;

/** Makes a new secret in base32, which apps accept. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address in the QR code that authenticator apps scan. */
export function otpauthUrl(secret: string, email: string): string {
  const query = new URLSearchParams({ secret, issuer: ISSUER });
  return `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?${query}`;
}

/** The code of a time step, counted from 1970. */
export function totpCode(secret: string, step: number): string {
  return totpOf(secret).generate({ timestamp: millisecondsOf(step) });
}

/** The time step around `now` that has this code; null if no step has it. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const timestamp = millisecondsOf(now);
  const drift = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  return drift === null ? null : now + drift;
}
