import { createHash, timingSafeEqual } from 'node:crypto';

export const CHALLENGE = 'Basic realm="linekeeper agent", charset="UTF-8"';

// The digest of a text. Digests have equal length, so the comparison does not reveal the text's length. RFC 7617 has
// both sides normalise to NFC, so that a password typed on two systems is equal.
function digest(text: string): Buffer {
  return createHash('sha256').update(text.normalize('NFC')).digest();
}

/** Returns a check of an Authorization header against this name and password. */
export function createGate(username: string, password: string) {
  const wantedName = digest(username);
  const wantedPassword = digest(password);

  return function admits(header: string | undefined): boolean {
    const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '');
    const credentials = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
    // A username cannot contain a colon, a password can.
    const colon = credentials.indexOf(':');
    const name = colon < 0 ? '' : credentials.slice(0, colon);
    const secret = colon < 0 ? '' : credentials.slice(colon + 1);
    // Both are always compared, so that a wrong username takes as long as a wrong password.
    const nameFits = timingSafeEqual(digest(name), wantedName);
    const secretFits = timingSafeEqual(digest(secret), wantedPassword);
    return nameFits && secretFits;
  };
}
