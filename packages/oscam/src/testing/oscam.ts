import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { bytesOf, textOf } from '../bytes.ts';
import { ciphersOf, FIELD_BYTES, GREETING, SEED_BYTES } from '../cccam-login.ts';
import {
  isDisabled,
  newAccount,
  type OscamAccount,
  readAccounts,
  setAll,
  writeAccounts,
} from './accounts.ts';
import { type OscamClient, type Running, servePage } from './pages.ts';
import { createWebif, type Page, type WebifRequest } from './webif.ts';

/** Returns the password of the account with a name; undefined refuses the login. */
type FindPassword = (name: Buffer) => string | undefined;

const SENT_BYTES = FIELD_BYTES + FIELD_BYTES + GREETING.length;

/** Runs the server's side of a CCcam login, as a client sees it. */
function answer(socket: Socket, find: FindPassword): void {
  const seed = randomBytes(SEED_BYTES);
  socket.write(seed);
  const { hash, fromServer, toServer } = ciphersOf(seed);
  let received = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < SENT_BYTES) return;
    socket.removeAllListeners('data');
    const proof = toServer.decrypt(received.subarray(0, FIELD_BYTES));
    const name = toServer.decrypt(received.subarray(FIELD_BYTES, 2 * FIELD_BYTES));
    const password = proof.equals(hash) ? find(name) : undefined;
    if (password !== undefined) toServer.encrypt(Buffer.from(password, 'latin1'));
    const greeting = toServer.decrypt(received.subarray(2 * FIELD_BYTES, SENT_BYTES));
    if (password === undefined || !greeting.equals(GREETING)) {
      socket.destroy();
      return;
    }
    const reply = Buffer.alloc(FIELD_BYTES);
    GREETING.copy(reply);
    socket.end(fromServer.encrypt(reply));
  });
}

function createCccamListener(find: FindPassword): Server {
  return createServer((socket) => answer(socket, find));
}

/** Bytes of a name that a CCcam login compares. */
const COMPARED_BYTES = 20;
const SECOND_MS = 1000;

export type OscamOptions = {
  /** The path of `oscam.user`, which need not exist. */
  file: string;
  /** Name and password of the web interface. Without them, the interface is open. */
  user?: string;
  password?: string;
  /** The port of its CCcam logins; any that is free without it. */
  cccamPort?: number;
  tls?: { key: string; cert: string };
  /** `reload_useraccounts = 1`: OSCam reads the file at SIGHUP. */
  rereadsOnHangup?: boolean;
  version?: string;
  /** Content of `oscam.services`. Without the file, accounts keep all their services. */
  services?: string;
  /** Content of `oscam.server`, with the readers. */
  readers?: string;
  /** Minutes by which OSCam's clock is ahead of UTC. */
  zone?: number;
  /** Milliseconds that OSCam waits before each response, as builds of 2015 do. */
  pollMs?: number;
  /** OSCam replaces the file in one step, so that no kill leaves half of it. */
  savesAtOnce?: boolean;
  now?: () => Date;
};

/** Faults that a test turns on and off while it runs. */
export type OscamFaults = {
  /** OSCam replies 403 to every caller, as if `httpallowed` did not list it. */
  forbids: boolean;
  readOnly: boolean;
  /** `httphidetype = s`: OSCam's status page leaves out OSCam itself. */
  hidesStatus: boolean;
  /** OSCam accepts requests and never replies. */
  isSilent: boolean;
  /** The reply of another program on this port, instead of OSCam's pages. */
  answersWith: Page | undefined;
  /** Awaited before each page with the connected clients. */
  beforeStatus: (() => Promise<void>) | undefined;
  /** The file that OSCam reads instead of the one that it was started with. */
  readsInstead: string | undefined;
  /** Awaited before each reread. */
  beforeReread: (() => Promise<void>) | undefined;
  /** OSCam cannot write its file, or a full disk leaves the file empty; OSCam reports only the first. */
  cannotWrite: 'refused' | 'full' | undefined;
  /** Awaited when half of the file is written. */
  midSave: (() => Promise<void>) | undefined;
};

const NO_FAULTS: OscamFaults = {
  forbids: false,
  readOnly: false,
  hidesStatus: false,
  isSilent: false,
  answersWith: undefined,
  beforeStatus: undefined,
  readsInstead: undefined,
  beforeReread: undefined,
  cannotWrite: undefined,
  midSave: undefined,
};

export type Oscam = Awaited<ReturnType<typeof startOscam>>;

/** The text of a file, in which each byte is one letter. The text is empty if the file is missing or cannot be read. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function listen(server: Server, port: number, sockets: Set<Socket>): Promise<number> {
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** OSCam's memory and file, which its pages and logins use. */
function openMemory(options: OscamOptions, faults: OscamFaults) {
  const { file, version = '2.26.01-11960', zone = 0, savesAtOnce = false } = options;
  const counts = { rereads: 0, saves: 0 };
  let accounts: OscamAccount[] = [];
  let life = 0;

  async function write(): Promise<boolean> {
    if (faults.cannotWrite === 'refused') return false;
    const own = life;
    const bytes = Buffer.from(writeAccounts(accounts, version), 'latin1');
    if (savesAtOnce || faults.cannotWrite === 'full') {
      writeFileSync(file, faults.cannotWrite ? '' : bytes);
      return true;
    }
    const half = Math.floor(bytes.length / 2);
    try {
      // The file is overwritten, so that it keeps its inode.
      const handle = await open(file, 'w');
      try {
        await handle.write(bytes.subarray(0, half));
        await faults.midSave?.();
        if (own === life) await handle.write(bytes.subarray(half));
      } finally {
        await handle.close();
      }
      counts.saves += 1;
      return true;
    } catch {
      return false;
    }
  }

  return {
    /** The id of OSCam's main thread, which differs from that of every other process. */
    mainThread: `0x${randomBytes(6).toString('hex')}`,
    counts,
    version,
    zone,
    services: options.services,
    readers: options.readers ?? '',
    all: () => accounts,
    readFile: () => contentOf(file),
    read(): void {
      accounts = readAccounts(contentOf(faults.readsInstead ?? file), options.services);
    },
    save: write,
    /** Stops a save that is in progress, so that half of the file is written. */
    lose(): void {
      life += 1;
      accounts = [];
    },
  };
}

/** Runs pages one after the other, because OSCam has one lock for all work of its pages. */
function takeTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
    forget(): void {
      last = Promise.resolve();
    },
  };
}

type Memory = ReturnType<typeof openMemory>;

/** Edits the account with this name, or creates it. */
function setIn(memory: Memory, name: string, settings: Record<string, string>): void {
  let account = memory.all().find((known) => known.user === name);
  if (!account) {
    account = newAccount(name);
    memory.all().push(account);
  }
  setAll(
    account,
    Object.entries(settings).map(([key, value]) => [key, bytesOf(value)] as const),
    memory.services,
  );
}

/** The password of the first account with these first bytes, because OSCam never reaches a second one. */
function passwordFor(memory: Memory, name: Buffer): string | undefined {
  const end = name.indexOf(0);
  const wanted = name.subarray(0, end < 0 ? COMPARED_BYTES : end).toString('latin1');
  const account = memory.all().find(({ user }) => user?.slice(0, COMPARED_BYTES) === wanted);
  return account && !isDisabled(account) ? account.pwd : undefined;
}

function nameOf(username: string): Buffer {
  return Buffer.from(username).subarray(0, COMPARED_BYTES);
}

/** Opens the two ports on which OSCam listens while it runs. */
async function openPorts(
  options: OscamOptions,
  ports: { webif: number; cccam: number },
  connected: (socket: Socket) => void,
  find: (name: Buffer) => string | undefined,
) {
  const sockets = new Set<Socket>();
  const { tls } = options;
  const webif = tls ? createTlsServer(tls, connected) : createServer(connected);
  const cccam = createCccamListener(find);
  ports.webif = await listen(webif, ports.webif, sockets);
  ports.cccam = await listen(cccam, ports.cccam, sockets);
  return async (): Promise<void> => {
    const closed = [webif, cccam].map((server) => new Promise((done) => server.close(done)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
}

/**
 * A stand-in for OSCam with its web interface and a CCcam port, within this process. It keeps its accounts in memory
 * and reads its file only at a start, on request, and on SIGHUP if that is set.
 */
export async function startOscam(options: OscamOptions) {
  const { now = () => new Date(), user, password } = options;
  const faults: OscamFaults = { ...NO_FAULTS };
  const memory = openMemory(options, faults);
  const turns = takeTurns();
  const ports = { webif: 0, cccam: options.cccamPort ?? 0 };
  const requests: string[] = [];
  const clients: OscamClient[] = [];
  const signIns = { admitted: 0, refused: 0 };
  let startedAt = new Date(0);
  let closePorts: (() => Promise<void>) | undefined;

  async function reread(): Promise<void> {
    await faults.beforeReread?.();
    memory.counts.rereads += 1;
    memory.read();
  }

  function running(): Running {
    const { version, zone, save, readFile, mainThread, services, readers } = memory;
    const today = () => now().toISOString().slice(0, 10);
    const state = {
      accounts: memory.all(),
      clients,
      version,
      zone,
      startedAt,
      mainThread: faults.hidesStatus ? undefined : mainThread,
      services,
      readers,
    };
    return { ...state, isReadOnly: faults.readOnly, today, save, reread, readFile };
  }

  async function serve(request: WebifRequest): Promise<Page | undefined> {
    requests.push(`${request.method} ${request.path}`);
    if (faults.isSilent) return undefined;
    if (options.pollMs) await sleep(options.pollMs);
    if (request.parameters.get('part') === 'status') await faults.beforeStatus?.();
    return faults.answersWith ?? turns.inTurn(() => servePage(running(), request));
  }

  const connected = createWebif({
    user,
    password,
    now: () => now().getTime(),
    isAllowed: () => !faults.forbids,
    serve,
    onSignIn: (isAdmitted) => {
      signIns[isAdmitted ? 'admitted' : 'refused'] += 1;
    },
  });

  const oscam = {
    faults,
    ports,
    /** The connected clients. Tests add and remove clients. */
    clients,
    /** Requested paths, of callers that were admitted. */
    requests,
    signIns,
    counts: memory.counts,
    get url(): string {
      return `${options.tls ? 'https' : 'http'}://127.0.0.1:${ports.webif}`;
    },
    /** The accounts in OSCam's memory. */
    accounts: memory.all,
    names: () => memory.all().map((account) => textOf(account.user ?? '')),

    /** Saves an account as the operator does in the web interface. OSCam then writes the whole file from its memory. */
    edit(username: string, settings: Record<string, string> = {}): Promise<boolean> {
      return turns.inTurn(() => {
        setIn(memory, bytesOf(username), settings);
        return memory.save();
      });
    },
    remove(username: string): Promise<boolean> {
      return turns.inTurn(() => {
        const index = memory.all().findIndex((known) => known.user === bytesOf(username));
        if (index >= 0) memory.all().splice(index, 1);
        return memory.save();
      });
    },

    /** True if a receiver can log in with this name and password. An account that has ended can. */
    accepts(username: string, word: string): boolean {
      return passwordFor(memory, nameOf(username)) === bytesOf(word);
    },
    async hangUp(): Promise<void> {
      if (options.rereadsOnHangup) await turns.inTurn(reread);
    },
    /** Ends OSCam immediately, like kill -9. */
    async kill(): Promise<void> {
      memory.lose();
      turns.forget();
      await closePorts?.();
      closePorts = undefined;
    },
    /** Starts OSCam on its earlier ports. */
    async start(): Promise<void> {
      const next = Math.max(now().getTime(), startedAt.getTime() + SECOND_MS);
      startedAt = new Date(next);
      memory.read();
      closePorts = await openPorts(options, ports, connected, (name) => passwordFor(memory, name));
    },
    async restart(): Promise<void> {
      await oscam.kill();
      await oscam.start();
    },
  };
  await oscam.start();
  return oscam;
}

/** A second port of 127.0.0.1 that leads to the given one until it is closed, as a router's forwarded port does. */
export async function forwardPort(to: number) {
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}
