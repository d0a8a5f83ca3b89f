import { connect, type Socket } from 'node:net';
import { causeOf } from '../log.ts';
import { ciphersOf, FIELD_BYTES, GREETING, SEED_BYTES } from './cipher.ts';

const LOGIN_MS = 10_000;
const HIGHEST_PORT = 65_535;

export type Line = { host: string; port: number; username: string; password: string };

export type LoginResult = { outcome: 'accepted' | 'refused' | 'unreachable'; reason: string };

/** The parts of a C line as it is typed into a receiver; undefined if the text is not a C line. */
export function readLine(text: string): Line | undefined {
  const parts = text
    .trim()
    .replace(/^C\s*:\s*/i, '')
    .split(/\s+/);
  const [host, port = '', username, password] = parts;
  if (!host || !username || !password || !/^\d{1,5}$/.test(port)) return undefined;
  if (Number(port) > HIGHEST_PORT) return undefined;
  return { host, port: Number(port), username, password };
}

/** Thrown by `take` once the other end has closed. */
class Closed extends Error {}

/** The socket's bytes in portions of a wanted length. */
function portionsOf(socket: Socket) {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let kept = Buffer.alloc(0);
  return async function take(length: number): Promise<Buffer> {
    while (kept.length < length) {
      const { done, value } = await chunks.next();
      if (done) throw new Closed();
      kept = Buffer.concat([kept, value]);
    }
    const portion = kept.subarray(0, length);
    kept = kept.subarray(length);
    return portion;
  };
}

function unreachable(reason: string): LoginResult {
  return { outcome: 'unreachable', reason };
}

/**
 * Signs in to a CCcam server as a receiver does, and hangs up. A server that accepts may still
 * refuse every channel: OSCam looks at the day of an account only at its first request.
 */
export async function tryLogin(line: Line, deadlineMs = LOGIN_MS): Promise<LoginResult> {
  const { host, port } = line;
  const socket = connect(port, host);
  const late = setTimeout(() => socket.destroy(new Error('ETIMEDOUT')), deadlineMs);
  const take = portionsOf(socket);
  let seeded = false;
  try {
    const { hash, fromServer, toServer } = ciphersOf(await take(SEED_BYTES));
    seeded = true;
    const name = Buffer.alloc(FIELD_BYTES);
    Buffer.from(line.username).copy(name);
    socket.write(Buffer.concat([toServer.encrypt(hash), toServer.encrypt(name)]));
    // The password is never sent: it only moves the cipher that encrypts the greeting.
    toServer.encrypt(Buffer.from(line.password));
    socket.write(toServer.encrypt(GREETING));
    const reply = fromServer.decrypt(await take(FIELD_BYTES));
    const isGreeting = reply.subarray(0, GREETING.length).equals(GREETING);
    if (!isGreeting) return unreachable(`${host} port ${port} does not answer as CCcam does`);
    return { outcome: 'accepted', reason: `${host} port ${port} accepts ${line.username}` };
  } catch (error) {
    if (socket.destroyed && !(error instanceof Closed)) {
      const code = causeOf(error);
      if (!(seeded && code === 'ECONNRESET')) {
        return unreachable(`${host} port ${port} cannot be reached as a CCcam server (${code})`);
      }
    }
    if (!seeded) return unreachable(`${host} port ${port} hangs up before a login`);
    const reason =
      'the card server does not know this name with this password, or the account is switched off';
    return { outcome: 'refused', reason };
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}
