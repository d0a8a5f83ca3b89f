import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../db/errors.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';

/** The ending of a backup that is encrypted for an age public key, https://age-encryption.org. */
export const ENCRYPTED = '.age';

const age = () => import('age-encryption');

/** Throws an error for the operator unless this is an age public key. */
export async function encrypterFor(recipient: string) {
  const encrypter = new (await age()).Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new Error(`BACKUP_RECIPIENT is not an age public key: ${errorMessage(error)}`);
  }
  return encrypter;
}

type Bytes = ReadableStream<Uint8Array>;
const read = (file: string) => Readable.toWeb(createReadStream(file)) as unknown as Bytes;
const write = (bytes: Bytes, file: string, signal?: AbortSignal) =>
  pipeline(
    Readable.fromWeb(bytes as never),
    createWriteStream(file, { mode: 0o600, flush: true }),
    { signal },
  );

export async function encryptFile(
  file: string,
  to: string,
  recipient: string,
  signal: AbortSignal,
): Promise<void> {
  const encrypter = await encrypterFor(recipient);
  await write(await encrypter.encrypt(read(file)), to, signal);
}

/** Decrypts with the private keys in a file as age-keygen writes it. */
export async function decryptFile(file: string, to: string, identityFile: string): Promise<void> {
  const lines = (await readFile(identityFile, 'utf8')).split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0)
    throw new Error(
      `${identityFile} has no age private key, a line that begins with AGE-SECRET-KEY-`,
    );
  const decrypter = new (await age()).Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new Error(`A private key in ${identityFile} is damaged: copy it again`);
    }
  }
  const plain = await decrypter.decrypt(read(file)).catch((error: unknown) => {
    throw new Error(
      `${file} cannot be decrypted with ${identityFile} (${errorMessage(error)}). Nothing was changed. ` +
        'Give the private key of the BACKUP_RECIPIENT that was set at that time',
    );
  });
  await write(plain, to).catch((error: unknown) => {
    if (/^E[A-Z]+$/.test(codeOf(error))) throw error;
    throw new Error(`${file} was altered, or is cut off (${errorMessage(error)}): fetch it again`);
  });
}
