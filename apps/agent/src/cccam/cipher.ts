import { createHash } from 'node:crypto';

/** CCcam's stream cipher. Both directions of a connection have one each; every byte moves its state. */
export type Cipher = {
  encrypt(bytes: Uint8Array): Buffer;
  decrypt(bytes: Uint8Array): Buffer;
};

const TABLE_BYTES = 256;
const MAGIC = Buffer.from('CCcam\0');
const HALF_SEED = 8;

export const SEED_BYTES = 16;
/** Length of a hash, of a name padded with zero bytes, and of the server's reply. */
export const FIELD_BYTES = 20;
/** Text that each side sends to prove that it has the password. */
export const GREETING = MAGIC;

function openCipher(key: Uint8Array): Cipher {
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
    encrypt: (bytes) => run(bytes, true),
    decrypt: (bytes) => run(bytes, false),
  };
}

/** A server's 16 random bytes, mixed with the protocol's name as both sides do before hashing them. */
function mixSeed(seed: Uint8Array): Buffer {
  const mixed = Buffer.from(seed);
  for (let index = 0; index < HALF_SEED; index += 1) {
    mixed[HALF_SEED + index] = (index * (mixed[index] ?? 0)) & 0xff;
    if (index < MAGIC.length - 1) mixed[index] = (mixed[index] ?? 0) ^ (MAGIC[index] ?? 0);
  }
  return mixed;
}

/**
 * Ciphers of a client's end of the connection that began with this seed, and the hash that it sends
 * first; a server has the two ciphers the other way round.
 */
export function ciphersOf(seed: Uint8Array): {
  hash: Buffer;
  fromServer: Cipher;
  toServer: Cipher;
} {
  const mixed = mixSeed(seed);
  const digest = createHash('sha1').update(mixed).digest();
  const fromServer = openCipher(digest);
  const toServer = openCipher(fromServer.decrypt(mixed));
  return { hash: toServer.decrypt(digest), fromServer, toServer };
}
