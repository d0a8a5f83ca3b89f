import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ATTACHMENT_BYTES } from '@linekeeper/contract/tickets/attachments.ts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { connectPostgres } from '../db/connect.ts';
import { TestClient } from '../testing/client.ts';
import { download, pngOf, upload } from '../testing/files/files.ts';
import { ADMIN, databases } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  spawnPanel,
} from '../testing/process/process.ts';

const MEGABYTE = 1024 * 1024;
const MEGABYTES = Number(process.env.SOAK_MEGABYTES ?? 1024);
const FILES = Math.ceil((MEGABYTES * MEGABYTE) / MAX_ATTACHMENT_BYTES);
/** Memory in MB that files may add to a panel, at most, regardless of their number, and that a command may use. */
const MOST_ADDED_MB = 450;
const MOST_OF_COMMAND_MB = 600;
/** Files of one account, as many as its quota has room for. */
const FILES_AN_ACCOUNT = 10;

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 600_000 });

declare module 'vitest' {
  interface TaskMeta {
    /** Measured values for the report. */
    figures?: Record<string, string>;
  }
}

afterAll(endPanels);

/** The most memory that a process has used, in MB; 0 once it has ended. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

async function backendPeak(url: string | undefined): Promise<number> {
  if (!url) return 0;
  const { db, close } = await connectPostgres(url);
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`.execute(db);
  const peak = Math.max(...rows.map(({ pid }) => peakOf(pid)));
  await close();
  return peak;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Fills the database over HTTP, with tickets that name all files; returns their hashes by id. */
async function fill(admin: TestClient): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (let left = FILES; left > 0; left -= FILES_AN_ACCOUNT) {
    const account = { email: `files-${left}@panel.example`, password: 'a password of files' };
    await admin.post('/api/accounts', { ...account, group_id: '3' });
    const client = new TestClient(admin.url);
    await client.signIn(account.email, account.password);
    for (let file = 0; file < Math.min(left, FILES_AN_ACCOUNT); file++) {
      const content = pngOf(randomBytes(MAX_ATTACHMENT_BYTES - 100));
      const { status, body } = await upload(client, content, 'screen.png');
      expect(status).toBe(201);
      hashes.set(body.attachment.id, hashOf(content));
      const ticket = { title: 'Files', description: 'x', attachment_ids: [body.attachment.id] };
      expect((await client.post('/api/tickets', ticket)).status).toBe(201);
    }
  }
  return hashes;
}

async function expectAll(client: TestClient, hashes: Map<string, string>): Promise<void> {
  for (const [id, hash] of hashes) {
    const { status, bytes } = await download(client, id);
    expect([status, hashOf(bytes)]).toEqual([200, hash]);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: string }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: `${((performance.now() - startedAt) / 1000).toFixed(1)} s` };
}

/** Runs a program to its end and returns the most memory that it used. */
async function runWatched(program: string, args: string[], env: Record<string, string>) {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  const { result, seconds } = await timed(() =>
    runProgram(program, args, env, ({ pid }) => {
      timer = setInterval(() => {
        peak = Math.max(peak, peakOf(pid));
      }, 100);
    }),
  );
  clearInterval(timer);
  expect(result.code, result.stderr).toBe(0);
  expect(peak).toBeLessThan(MOST_OF_COMMAND_MB);
  return { peak, seconds };
}

/** The effect of `work` on other requests: the longest response time, and the number of failures. */
async function watched<T>(client: TestClient, work: () => Promise<T>) {
  let [isOver, longest, asked, refused] = [false, 0, 0, 0];
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const { status } = await client.get('/api/me');
      longest = Math.max(longest, performance.now() - startedAt);
      asked++;
      if (status !== 200) refused++;
      await sleep(200);
    }
  })();
  const result = await work().finally(() => {
    isOver = true;
    return asking;
  });
  const said = `${refused} of ${asked} refused, the slowest after ${(longest / 1000).toFixed(1)} s`;
  return { result, said };
}

async function signedIn(url: string): Promise<TestClient> {
  const admin = new TestClient(url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  return admin;
}

describe.each(databases)(`${MEGABYTES} MB of attachments on %s`, (kind) => {
  test('are taken, sent, saved and restored in little memory', async ({ task }) => {
    const figures: Record<string, string> = {};
    task.meta.figures = figures;
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-attachments-'));
    const database = await makeMigratedDatabase(kind);
    const panel = await spawnPanel({ ...database.env, ...FIRST_START, LOG_LEVEL: 'warn' });
    const atStart = peakOf(panel.child.pid);
    const note = async (what: string) => {
      const most = peakOf(panel.child.pid);
      expect(most - atStart).toBeLessThan(MOST_ADDED_MB);
      figures[`panel, most memory, ${what}`] = `${most} MB`;
      const backend = await backendPeak(database.env.DATABASE_URL);
      if (backend) figures[`PostgreSQL, largest session, ${what}`] = `${backend} MB`;
    };
    const admin = await signedIn(panel.url);
    await note('before');
    const filled = await timed(() => fill(admin));
    figures[`${FILES} uploads of 10 MB`] = filled.seconds;
    await note('after the uploads');
    figures[`${FILES} downloads`] = (await timed(() => expectAll(admin, filled.result))).seconds;
    await note('after the downloads');

    const file = join(folder, 'all.lkb.gz');
    const signIn = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
    const env = { ...database.env, ...signIn, PANEL_URL: database.env.DATA_DIR ? panel.url : '' };
    const { result: saved, said } = await watched(admin, () =>
      runWatched('backup.ts', [file], env),
    );
    figures['requests while it is saved'] = said;
    figures['size of the backup'] = `${Math.round((await stat(file)).size / MEGABYTE)} MB`;
    figures['npm run backup'] = `${saved.seconds}, at most ${saved.peak} MB`;
    await note('after the backup');
    panel.child.kill('SIGTERM');
    await panel.ended;

    const other = await makeMigratedDatabase(kind);
    const restored = await runWatched('restore.ts', [file], other.env);
    figures['npm run restore'] = `${restored.seconds}, at most ${restored.peak} MB`;
    const again = await spawnPanel({ ...other.env, ...keyOf(database.env), LOG_LEVEL: 'warn' });
    await expectAll(await signedIn(again.url), filled.result);
    again.child.kill('SIGTERM');
    await again.ended;
    console.log(figures);
    await Promise.all([database.remove(), other.remove()]);
    await rm(folder, { recursive: true });
  });
});

/** The embedded database's key is in a file of its folder. */
function keyOf({ DATA_DIR, SECRET_KEY = '' }: Record<string, string>): { SECRET_KEY: string } {
  if (!DATA_DIR) return { SECRET_KEY };
  return { SECRET_KEY: readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim() };
}
