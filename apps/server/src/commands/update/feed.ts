import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { measure } from '../../domain/backups/backup-files.ts';
import { compareVersions } from '../../platform/config/version.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';

const MOST_BYTES_OF_TEXT = 1024 ** 2;
const MOST_BYTES_OF_PACKAGE = 400 * 1024 ** 2;
const STATUS_MAY_WAIT_MS = 5000;

/** A release at a feed: its version and the checksums of its files, which its signature covers. */
export interface Release {
  feed: string;
  version: string;
  sums: Map<string, string>;
}

const isAddress = (feed: string) => /^https?:\/\//.test(feed);

/** A file of the folder or address that holds a release. */
async function openFile(feed: string, name: string, signal?: AbortSignal): Promise<Readable> {
  if (!isAddress(feed)) {
    const path = join(feed, name);
    if (!existsSync(path)) throw new Error(`There is no ${path}`);
    return createReadStream(path);
  }
  const url = new URL(name, `${feed.replace(/\/+$/, '')}/`);
  const response = await fetch(url, { signal: signal ?? null }).catch((error: unknown) => {
    throw new Error(`${url} cannot be reached: ${errorMessage(error)}`, { cause: error });
  });
  if (!response.ok || !response.body)
    throw new Error(`${url} responds with status ${response.status}`);
  return Readable.fromWeb(response.body);
}

async function* bounded(source: Readable, most: number, name: string) {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`${name} is too large for a file of a release`);
    yield chunk as Buffer;
  }
}

async function readSmall(feed: string, name: string, signal?: AbortSignal): Promise<Buffer> {
  const source = await openFile(feed, name, signal);
  return Buffer.concat(await Array.fromAsync(bounded(source, MOST_BYTES_OF_TEXT, name)));
}

const VERSION = /^\d+\.\d+\.\d+$/;

function readVersion(text: Buffer): string {
  const { version } = JSON.parse(text.toString());
  if (typeof version !== 'string' || !VERSION.test(version)) throw new Error('It has no version');
  return version;
}

/** Reads what the feed offers. Throws unless it is signed with `key`, the public key of the running version. */
export async function readRelease(feed: string, key: string): Promise<Release> {
  const [sumsText, signature, about] = await Promise.all(
    ['SHA256SUMS', 'SHA256SUMS.sig', 'release.json'].map((name) => readSmall(feed, name)),
  );
  if (!sumsText || !signature || !about) throw new Error('The release is incomplete');
  if (!verify(null, sumsText, createPublicKey(key), signature)) {
    throw new Error(
      `The signature of the release in ${feed} is wrong: it was made with another key than that of this version. Nothing was changed`,
    );
  }
  const lines = sumsText.toString().matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm);
  const sums = new Map([...lines].map(([, sum = '', name = '']) => [name, sum]));
  if (createHash('sha256').update(about).digest('hex') !== sums.get('release.json')) {
    throw wrongSum('release.json');
  }
  return { feed, version: readVersion(about), sums };
}

const wrongSum = (name: string) =>
  new Error(
    `The checksum of ${name} is wrong: the file is incomplete or was changed. Nothing was changed`,
  );

/** Puts a file of the release into `folder`; throws unless its checksum is right. A file that is there already is kept. */
export async function fetchFile(release: Release, name: string, folder: string): Promise<string> {
  const { feed, sums } = release;
  const wanted = sums.get(name);
  if (!wanted) throw new Error(`The release in ${feed} has no ${name}`);
  const file = join(folder, name);
  if (existsSync(file) && (await measure(file)).sha256 === wanted) return file;
  const part = `${file}.part`;
  try {
    const source = await openFile(feed, name);
    const output = createWriteStream(part, { mode: 0o600, flush: true });
    await pipeline(bounded(source, MOST_BYTES_OF_PACKAGE, name), output).catch((cause: unknown) => {
      const why = errorMessage(cause);
      throw new Error(`${name} was not fetched into ${folder} (${why}). Nothing was changed`, {
        cause,
      });
    });
    if ((await measure(part)).sha256 !== wanted) throw wrongSum(name);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return file;
}

/** The version at UPDATE_FEED if it is newer than this one; otherwise, and if the feed cannot be read, null. */
export async function newerVersion(installed: string, feed: URL | null): Promise<string | null> {
  if (!feed) return null;
  try {
    const signal = AbortSignal.timeout(STATUS_MAY_WAIT_MS);
    const version = readVersion(await readSmall(feed.href, 'release.json', signal));
    return compareVersions(version, installed) > 0 ? version : null;
  } catch {
    return null;
  }
}

/** The public key that signs the releases of this version. */
export const readReleaseKey = (root: string): Promise<string> =>
  readFile(join(root, 'release-key.pem'), 'utf8');
