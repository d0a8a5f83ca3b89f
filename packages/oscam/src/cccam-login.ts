import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { reasonOf } from './failure.ts';

const LOGIN_MS = 10_000;
const HIGHEST_PORT = 65_535;

type LoginResult = { outcome: 'accepted' | 'refused' | 'unreachable'; reason: string };

const TABLE_BYTES = 256;
const MAGIC = Buffer.from('CCcam\0');
const HALF_SEED_BYTES = 8;

export const SEED_BYTES = 16;
/** Length of a hash, of a name padded with zero bytes, and of the server's reply. */
export const FIELD_BYTES = 20;
/** Text that each side sends to prove that it has the password. */
export const GREETING = MAGIC;

/** CCcam's stream cipher. Each direction of a connection has one; every byte changes its state. */
function openCipher(key: Uint8Array) {
  const table = Uint8Array.from({ length: TABLE_BYTES }, (_, index) => index);
  const at = (index: number) => table[index & 0xff] ?? 0;
  function swap(one: number, other: number): void {
    const kept = at(one);
    table[one] = at(other);
    table[other] = kept;
  }
  let mixed = 0;
  for (let index = 0; index < TABLE_BYTES; index += 1) {
    mixed = (mixed + (key[index % key.length] ?? 0) + at(index)) & 0xff;
    swap(index, mixed);
  }
  let state = key[0] ?? 0;
  let counter = 0;
  let sum = 0;

  function run(bytes: Uint8Array, isPlain: boolean): Buffer {
    return Buffer.from(
      bytes.map((given) => {
        counter = (counter + 1) & 0xff;
        sum = (sum + at(counter)) & 0xff;
        swap(counter, sum);
        const made = given ^ at(at(counter) + at(sum)) ^ state;
        state ^= isPlain ? given : made;
        return made;
      }),
    );
  }
  return {
    encrypt: (bytes: Uint8Array) => run(bytes, true),
    decrypt: (bytes: Uint8Array) => run(bytes, false),
  };
}

/** A server's 16 random bytes, mixed with the protocol's name as both sides do before hashing them. */
function mixSeed(seed: Uint8Array): Buffer {
  const mixed = Buffer.from(seed);
  for (let index = 0; index < HALF_SEED_BYTES; index += 1) {
    mixed[HALF_SEED_BYTES + index] = (index * (mixed[index] ?? 0)) & 0xff;
    if (index < MAGIC.length - 1) mixed[index] = (mixed[index] ?? 0) ^ (MAGIC[index] ?? 0);
  }
  return mixed;
}

/**
 * The ciphers of a client's end of a connection with this seed, and the hash that the client sends
 * first; a server uses the two ciphers the other way round.
 */
export function ciphersOf(seed: Uint8Array) {
  const mixed = mixSeed(seed);
  const digest = createHash('sha1').update(mixed).digest();
  const fromServer = openCipher(digest);
  const toServer = openCipher(fromServer.decrypt(mixed));
  return { hash: toServer.decrypt(digest), fromServer, toServer };
}

/** The parts of a C line as it is typed into a receiver; undefined if the text is not a C line. */
export function readLine(text: string) {
  const parts = text
    .trim()
    .replace(/^C\s*:\s*/i, '')
    .split(/\s+/);
  const [host, port = '', username, password] = parts;
  if (!host || !username || !password || !/^\d{1,5}$/.test(port)) return undefined;
  if (Number(port) > HIGHEST_PORT) return undefined;
  return { host, port: Number(port), username, password };
}

/** Thrown by `take` once the other end has closed the connection. */
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
 * Signs in to a CCcam server as a receiver does, and hangs up. A server that accepts may still refuse every channel:
 * OSCam checks the day of an account only at its first request.
 */
export async function tryLogin(
  line: NonNullable<ReturnType<typeof readLine>>,
): Promise<LoginResult> {
  const { host, port } = line;
  const socket = connect(port, host);
  const late = setTimeout(() => socket.destroy(new Error('ETIMEDOUT')), LOGIN_MS);
  const take = portionsOf(socket);
  let seeded = false;
  try {
    const { hash, fromServer, toServer } = ciphersOf(await take(SEED_BYTES));
    seeded = true;
    const name = Buffer.alloc(FIELD_BYTES);
    Buffer.from(line.username).copy(name);
    socket.write(Buffer.concat([toServer.encrypt(hash), toServer.encrypt(name)]));
    // The password is never sent: it only changes the state of the cipher that encrypts the greeting.
    toServer.encrypt(Buffer.from(line.password));
    socket.write(toServer.encrypt(GREETING));
    const reply = fromServer.decrypt(await take(FIELD_BYTES));
    const isGreeting = reply.subarray(0, GREETING.length).equals(GREETING);
    if (!isGreeting) return unreachable(`${host} port ${port} does not answer as CCcam does`);
    return { outcome: 'accepted', reason: `${host} port ${port} accepts ${line.username}` };
  } catch (error) {
    if (socket.destroyed && !(error instanceof Closed)) {
      const code = reasonOf(error);
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
