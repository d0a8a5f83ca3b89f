import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';
import type { StoreMood } from './s3-server.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const PASSWORD = 'secret-of-the-tests';
const NOTHING: Attributes = { mode: 0o100_600, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };

const ed25519 = () => ssh2.utils.generateKeyPairSync('ed25519');

export function fingerprintOf(publicKey: string): string {
  const bytes = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace('=', '')}`;
}

/** Starts an SFTP server with files in memory, all in the folder `backups`. */
export async function startSftpServer() {
  const host = ed25519();
  const files = new Map<string, Buffer>();
  const state: { mood: StoreMood } = { mood: 'sound' };
  const clients: ssh2.Connection[] = [];
  const server = new ssh2.Server({ hostKeys: [host.private] }, (client) => {
    clients.push(client);
    client.on('error', () => {});
    client.on('authentication', (context) =>
      context.method === 'password' && context.username === 'panel' && context.password === PASSWORD
        ? context.accept()
        : context.reject(['password']),
    );
    client.on('ready', () =>
      client.on('session', (accept) =>
        accept().on('sftp', (acceptSftp) => serveFiles(acceptSftp(), files, state)),
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    files,
    state,
    settings: {
      BACKUP_STORE: `sftp://panel@127.0.0.1:${port}/backups`,
      BACKUP_STORE_SECRET: PASSWORD,
      BACKUP_STORE_FINGERPRINT: fingerprintOf(host.public),
    },
    close() {
      for (const client of clients) client.end();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function serveFiles(
  sftp: SFTPWrapper,
  files: Map<string, Buffer>,
  state: { mood: StoreMood },
): void {
  const open: { path: string; listed: boolean }[] = [];
  const handleOf = (path: string) => Buffer.of(open.push({ path, listed: false }) - 1);
  const pathOf = (handle: Buffer) => open[handle[0] ?? 0]?.path ?? '';
  const status = (id: number, code: number) => {
    if (state.mood !== 'silent') sftp.status(id, code);
  };
  sftp.on('OPEN', (id, path, flags) => {
    if (!path.startsWith('backups/')) return status(id, STATUS_CODE.NO_SUCH_FILE);
    const isWritten = (flags & ssh2.utils.sftp.OPEN_MODE.WRITE) !== 0;
    if (isWritten) files.set(path, Buffer.alloc(0));
    else if (!files.has(path)) return status(id, STATUS_CODE.NO_SUCH_FILE);
    sftp.handle(id, handleOf(path));
  });
  sftp.on('WRITE', (id, handle, offset, bytes) => {
    if (state.mood === 'full') return status(id, STATUS_CODE.FAILURE);
    const old = files.get(pathOf(handle)) ?? Buffer.alloc(0);
    const grown = Buffer.alloc(Math.max(old.length, offset + bytes.length));
    old.copy(grown);
    bytes.copy(grown, offset);
    files.set(pathOf(handle), grown);
    status(id, STATUS_CODE.OK);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const part = files.get(pathOf(handle))?.subarray(offset, offset + length) ?? Buffer.alloc(0);
    if (part.length === 0) return status(id, STATUS_CODE.EOF);
    sftp.data(id, state.mood === 'corrupting' ? Buffer.alloc(part.length) : part);
  });
  sftp.on('OPENDIR', (id, path) => sftp.handle(id, handleOf(path)));
  sftp.on('READDIR', (id, handle) => {
    const folder = open[handle[0] ?? 0];
    if (!folder || folder.listed) return status(id, STATUS_CODE.EOF);
    folder.listed = true;
    const names = [...files.keys()].map((path) => path.slice('backups/'.length));
    sftp.name(
      id,
      names.map((filename) => ({ filename, longname: filename, attrs: NOTHING })),
    );
  });
  sftp.on('REMOVE', (id, path) =>
    status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE),
  );
  sftp.on('RENAME', (id, from, to) => {
    files.set(to, files.get(from) ?? Buffer.alloc(0));
    files.delete(from);
    status(id, STATUS_CODE.OK);
  });
  for (const event of ['CLOSE', 'FSETSTAT'] as const)
    sftp.on(event, (id: number) => status(id, STATUS_CODE.OK));
  const stat = (id: number, path: string) =>
    sftp.attrs(id, { ...NOTHING, size: files.get(path)?.length ?? 0 });
  sftp.on('STAT', stat);
  sftp.on('FSTAT', (id, handle) => stat(id, pathOf(handle)));
}
