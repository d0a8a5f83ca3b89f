import { createHash, randomBytes } from 'node:crypto';

export type Challenge = { realm: string; nonce: string; opaque: string };

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** The challenge of OSCam's web interface; undefined for any other header. */
export function readChallenge(header = ''): Challenge | undefined {
  const found = header.matchAll(/(?<!\w)(\w+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/g);
  const fields = Array.from(found, ([, name = '', quoted, plain = '']) => {
    return [name.toLowerCase(), quoted ?? plain];
  });
  const { realm, nonce, opaque = '', qop = '', algorithm = 'MD5' } = Object.fromEntries(fields);
  const isDigest = /^digest /i.test(header) && algorithm.toUpperCase() === 'MD5';
  const isKnown = isDigest && qop.split(/[\s,]+/).includes('auth');
  return isKnown && realm !== undefined && nonce !== undefined
    ? { realm, nonce, opaque }
    : undefined;
}

/** The Authorization header of a call. OSCam cuts the header at every comma, so `uri` and the name have none. */
export function authorization(
  { realm, nonce, opaque }: Challenge,
  { method, uri }: { method: 'GET' | 'POST'; uri: string },
  { user, password }: { user: string; password: string },
): string {
  const nc = '00000001';
  const cnonce = randomBytes(8).toString('hex');
  const who = md5(`${user}:${realm}:${password}`);
  const response = md5(`${who}:${nonce}:${nc}:${cnonce}:auth:${md5(`${method}:${uri}`)}`);
  const quoted = { username: user, realm, nonce, uri, cnonce, response, opaque };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  fields.push('algorithm=MD5', 'qop=auth', `nc=${nc}`);
  // Node treats headers as bytes, one latin1 character each.
  return Buffer.from(`Digest ${fields.join(', ')}`).toString('latin1');
}
