import { argon2, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { commonPasswords } from '@linekeeper/contract/fields/common-passwords.ts';
import { failTemporarily } from '../errors/refusal.ts';
import { Semaphore } from '../semaphore.ts';
import { isSameSecret } from './secrets.ts';

interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const OWASP: PasswordCost = { memoryKib: 19_456, passes: 2 };
const TAG_BYTES = 32;

let cost = OWASP;

/** Sets the cost of hashes for tests, which hash thousands of worthless passwords; never for a real panel. */
export function setPasswordCost(chosen = OWASP): void {
  cost = chosen;
}

const derive = promisify(argon2);

/** Threads of Node's pool, which file access, DNS lookups and compression need as well. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE || 4);
/** Hashes that may wait in the queue: about two seconds of work on one core. */
const MOST_WAITING = 60;
const RETRY_AFTER_SECONDS = 5;

/** The queue of hashes. It leaves one core and one thread for other work, so that sign-ins do not slow it down. */
const turns = new Semaphore(
  Math.max(1, Math.min(availableParallelism(), THREADS) - 1),
  MOST_WAITING,
);

/** Hashes a password. Throws BUSY_WITH_SIGN_INS if too many requests are already waiting. */
async function hashWith(password: string, nonce: Buffer, { memoryKib, passes }: PasswordCost) {
  const leave = await turns.enter();
  if (!leave) failTemporarily('BUSY_WITH_SIGN_INS', RETRY_AFTER_SECONDS);
  try {
    return await derive('argon2id', {
      message: Buffer.from(password.normalize('NFKC')),
      nonce,
      parallelism: 1,
      tagLength: TAG_BYTES,
      memory: memoryKib,
      passes,
    });
  } finally {
    leave();
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Returns a string in PHC format, which includes the parameters. Throws BUSY_WITH_SIGN_INS. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  // One object is used for the computation and for the text, so that the two cannot differ.
  const used = cost;
  const tag = await hashWith(password, nonce, used);
  return `$argon2id$v=19$m=${used.memoryKib},t=${used.passes},p=1$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** True if the password has this hash; false for a hash of another form. Throws BUSY_WITH_SIGN_INS. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, nonce, expected] = parts;
  const tag = await hashWith(password, Buffer.from(nonce ?? '', 'base64'), {
    memoryKib: Number(memory),
    passes: Number(passes),
  });
  return isSameSecret(tag, Buffer.from(expected ?? '', 'base64'));
}

export function isCommonPassword(password: string): boolean {
  return commonPasswords.includes(password.toLowerCase());
}
