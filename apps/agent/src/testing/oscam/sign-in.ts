import { createHash, randomBytes } from 'node:crypto';

/** Time from its first use in which a nonce is valid. */
const NONCE_MS = 15_000;

function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex');
}

function nonce(): string {
  return randomBytes(16).toString('hex');
}

type Verdict = { admitted: true; next: string } | { admitted: false; challenge: string };

/** Fields of an Authorization header, which OSCam cuts at every comma. */
function fieldsOf(header: string): Map<string, string> {
  const fields = header.replace(/^Digest /, '').split(',');
  return new Map(
    fields.map((field) => {
      const [, name = '', value = ''] = /^\s*(\w+)="?(.*?)"?\s*$/.exec(field) ?? [];
      return [name, value];
    }),
  );
}

/** Digest sign-in as OSCam's web interface has it. */
export function openSignIn(user: string, password: string, now: () => number) {
  /** Nonces given out, each with the moment of its first use. */
  const nonces = new Map<string, number | undefined>();
  const opaque = nonce();

  function give(): string {
    const given = nonce();
    nonces.set(given, undefined);
    return given;
  }

  function refuse(isStale: boolean): Verdict {
    const stale = isStale ? ', stale=true' : '';
    const fields = `algorithm="MD5", realm="Forbidden", qop="auth", opaque="${opaque}", nonce="${give()}"`;
    return { admitted: false, challenge: `Digest ${fields}${stale}` };
  }

  return {
    admit(method: string, uri: string, header: string | undefined): Verdict {
      if (!header?.startsWith('Digest ')) return refuse(false);
      const fields = fieldsOf(header);
      const field = (name: string) => fields.get(name) ?? '';
      const who = md5(`${user}:Forbidden:${password}`);
      const what = md5(`${method}:${uri}`);
      const proof = [who, field('nonce'), field('nc'), field('cnonce'), 'auth', what].join(':');
      const fits =
        field('username') === user &&
        field('uri') === uri &&
        field('opaque') === opaque &&
        field('qop') === 'auth' &&
        field('response') === md5(proof);
      if (!fits) return refuse(false);
      const given = field('nonce');
      const first = nonces.get(given) ?? now();
      if (!nonces.has(given) || now() - first > NONCE_MS) {
        nonces.delete(given);
        return refuse(true);
      }
      nonces.set(given, first);
      return { admitted: true, next: give() };
    },
  };
}
