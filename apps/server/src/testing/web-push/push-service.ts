import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import {
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../domain/machines/card-server/testing/certificate.ts';
import { atEnd } from '../at-end.ts';

/** Keys of a browser's subscription: those of the example in RFC 8291. */
export const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** A browser with the keys of its subscription. */
export interface TestBrowser {
  pair: ECDH;
  auth: Buffer;
}

export function newBrowser(): TestBrowser {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { pair, auth: randomBytes(16) };
}

const derived = (key: Buffer, salt: Buffer, info: string | Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

/** Decrypts a message of one record as a browser does (RFC 8291 and RFC 8188, aes128gcm). */
export function decrypt({ pair, auth }: TestBrowser, body: Buffer): string {
  const [salt, keyBytes] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + keyBytes);
  const sealed = body.subarray(21 + keyBytes);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = derived(pair.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const opening = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
  return opened.subarray(0, opened.lastIndexOf(2)).toString();
}

/** The claims of a VAPID header; throws unless the key in it has signed them (RFC 8292). */
export function readVapid(header = ''): { aud: string; sub: string; exp: number; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  const [head, claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) =>
    one.toString('base64url'),
  );
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSound = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSound) throw new Error('Not signed by its key');
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}

interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  message: { id: string; title: string; link: string };
}

/** Starts a push service on loopback, whose certificate this process trusts until it is closed. */
export async function startPushService() {
  const received: ReceivedPush[] = [];
  const browsers = new Map<string, TestBrowser>();
  let answer = (_path: string): number => 201;
  const server = https.createServer(
    { key: TEST_KEY, cert: TEST_CERTIFICATE },
    async (request, response) => {
      const path = request.url ?? '';
      const body = await buffer(request);
      const browser = browsers.get(path);
      const status = browser ? answer(path) : 404;
      if (browser && status < 300) {
        const message = JSON.parse(decrypt(browser, body));
        received.push({ path, headers: request.headers, message });
      }
      response.writeHead(status, { location: '/elsewhere' }).end();
    },
  );
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    /** The titles that a browser got, in order. */
    titlesAt: (endpoint: string) =>
      received.filter(({ path }) => endpoint.endsWith(path)).map(({ message }) => message.title),
    /** Sets the status of the answers from now on; 201 by default. */
    answers: (next: (path: string) => number) => {
      answer = next;
    },
    /** The subscription of a new browser. */
    subscription: () => {
      const browser = newBrowser();
      const path = `/push/${randomBytes(12).toString('base64url')}`;
      browsers.set(path, browser);
      const p256dh = browser.pair.getPublicKey('base64url');
      const keys = { p256dh, auth: browser.auth.toString('base64url') };
      return { endpoint: `https://127.0.0.1:${port}${path}`, expirationTime: null, keys };
    },
    close: atEnd(async () => {
      tls.setDefaultCACertificates(trusted);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }),
  };
}
export type PushService = Awaited<ReturnType<typeof startPushService>>;
