import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { promisify } from 'node:util';
import ssh2, { type SFTPWrapper, type TransferOptions } from 'ssh2';
import { errorMessage } from '../../../platform/errors/error-message.ts';
import type { BackupStore, StoreConfig } from './store.ts';

const CONNECT_MS = 20_000;
/** Three of these without an answer end a connection whose other side is gone. */
const KEEPALIVE_MS = 20_000;

type SftpConfig = Extract<StoreConfig, { kind: 'sftp' }>;

/** Signs in, and refuses a server whose host key is not the one in the settings. */
function connect(
  client: ssh2.Client,
  config: SftpConfig,
  privateKey?: Buffer,
): Promise<SFTPWrapper> {
  const { host, port, user: username, secret, fingerprint } = config;
  let shown = fingerprint;
  return new Promise((resolve, reject) => {
    client.once('ready', () =>
      client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))),
    );
    client.on('error', (error) => {
      if (shown === fingerprint) return reject(error);
      reject(
        new Error(
          `The host key of ${host} is ${shown}, not BACKUP_STORE_FINGERPRINT, so nothing was sent. ` +
            'Ask its provider for the key: somebody may be in between',
        ),
      );
    });
    client.connect({
      host,
      port,
      username,
      ...(privateKey ? { privateKey, passphrase: secret } : { password: secret }),
      hostVerifier: (key: Buffer) => {
        shown = `SHA256:${createHash('sha256').update(key).digest('base64').replace('=', '')}`;
        return shown === fingerprint;
      },
      readyTimeout: CONNECT_MS,
      keepaliveInterval: KEEPALIVE_MS,
    });
  });
}

export async function openSftp(config: SftpConfig, signal: AbortSignal): Promise<BackupStore> {
  const { host, port, folder, key_file } = config;
  const client = new ssh2.Client();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.once('close', () => lost.reject(new Error('the connection was closed')));
  const end = () => void client.destroy();
  signal.addEventListener('abort', end);
  /** Adds to the error of a call what the call was about, such as a file. */
  const about = async <T>(what: string, work: Promise<T>): Promise<T> =>
    Promise.race([work, lost.promise]).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Error(`sftp://${host}:${port}: ${what}: ${errorMessage(error)}`, { cause: error });
    });
  const close = () => {
    signal.removeEventListener('abort', end);
    client.end();
  };
  const key = key_file === undefined ? undefined : await readFile(key_file);
  const sftp = await about('sign-in', connect(client, config, key)).catch((error: unknown) => {
    close();
    throw error;
  });
  const at = (name: string) => `${folder}/${name}`;
  const unlink = promisify(sftp.unlink.bind(sftp));
  const fastPut = promisify<string, string, TransferOptions>(sftp.fastPut.bind(sftp));
  async function put(path: string, to: string): Promise<void> {
    // While it is sent, the file has another name, so that an interrupted one is not taken for a whole backup.
    await fastPut(path, `${to}.part`, { mode: 0o600 });
    await unlink(to).catch(() => {});
    await promisify(sftp.rename.bind(sftp))(`${to}.part`, to);
  }
  return {
    // Servers report only "Failure" if their disk or quota is full.
    put: ({ name, path }) =>
      about(
        `${at(name)} could not be written (is the folder missing, or its disk full?)`,
        put(path, at(name)),
      ),
    get: async (name) => addAbortSignal(signal, sftp.createReadStream(at(name))),
    list: async () => {
      const files = await about(folder, promisify(sftp.readdir.bind(sftp))(folder));
      return files.map(({ filename }) => filename).sort();
    },
    remove: (name) => about(at(name), unlink(at(name))),
    close,
  };
}
