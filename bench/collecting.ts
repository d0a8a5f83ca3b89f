import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectPostgres } from '../apps/server/src/db/connect.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import type { Db } from '../apps/server/src/db/transaction.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createSecrets } from '../apps/server/src/platform/keys/secrets.ts';
import {
  type OscamServer,
  startOscamServer,
  WEBIF,
  webifServer,
} from '../apps/server/src/testing/card-servers/oscam-server.ts';
import { storeLines, storeTaken } from '../apps/server/src/testing/lines.ts';
import { seed, seededAccount } from '../apps/server/src/testing/seed/lines.ts';
import { newAccount } from '../packages/oscam/src/testing/accounts.ts';
import { startPostgres } from '../scripts/test-postgres.ts';
import { usedBy } from './measure.ts';
import { startPanel } from './servers.ts';

export const COLLECTING = 'Collecting who is online';

const SERVERS = 25;
const LINES_OF_A_SERVER = 400;
const ONLINE_OF_A_SERVER = 120;
/** Lines that come and lines that go, of each server in a minute. */
const CHANGED_OF_A_SERVER = 4;
const WARM_UPS = 5;
const SECRET_KEY = 'a secret key of the benchmark, long enough';
const PATIENCE_MS = 60_000;

/** Of a minute, in which each server is asked once. */
export interface Collected {
  servers: number;
  lines: number;
  online: number;
  /** CPU time in ms, of the panel's process and of all of PostgreSQL's. */
  panel: number;
  database: number;
  /** Statements that write who is on, of one server. */
  statements: number;
  /** Written to PostgreSQL's log, in bytes. */
  logged: number;
  /** Share of the changed rows that stay in their page. */
  inPage: number;
}

/** Lets a panel read who is on from stand-ins for OSCam, with a PostgreSQL of its own. */
export async function measureCollecting(minutes: number): Promise<Collected> {
  const postgres = await startPostgres({
    settings: { autovacuum: 'off', shared_preload_libraries: 'pg_stat_statements' },
  });
  const oscams: OscamServer[] = [];
  const databaseUrl = postgres.url('bench_collecting');
  const client = new pg.Client(databaseUrl);
  try {
    for (let index = 0; index < SERVERS; index++) oscams.push(await startOscamServer());
    const root = await connectPostgres(postgres.url());
    await root.query('create database bench_collecting');
    await root.close();
    const connection = await connectPostgres(databaseUrl);
    await migrate(connection.db);
    await seed(connection.db, { accounts: 100, lines: 0 });
    for (const oscam of oscams) await addServer(connection.db, oscam);
    await connection.close();
    await client.connect();
    await client.query('create extension pg_stat_statements');
    await client.query('vacuum analyze');
    const panel = await startPanel({ DATABASE_URL: databaseUrl, SECRET_KEY });
    try {
      for (let minute = 0; minute < WARM_UPS; minute++) await passMinute(client, oscams, minute);
      await client.query('select pg_stat_statements_reset(), pg_stat_reset()');
      const ownPid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
      const used = () => Promise.all([usedBy(panel.pid), usedByPostgres(ownPid)]);
      const before = await used();
      for (let minute = 0; minute < minutes; minute++) {
        await passMinute(client, oscams, WARM_UPS + minute);
      }
      const after = await used();
      return {
        servers: SERVERS,
        lines: SERVERS * LINES_OF_A_SERVER,
        online: SERVERS * ONLINE_OF_A_SERVER,
        panel: (after[0] - before[0]) / minutes,
        database: (after[1] - before[1]) / minutes,
        ...(await readWritten(client, minutes)),
      };
    } finally {
      await panel.stop();
    }
  } finally {
    await client.end().catch(() => {});
    for (const oscam of oscams) await oscam.stop();
    await postgres.stop();
  }
}

async function addServer(db: Db, oscam: OscamServer): Promise<void> {
  const id = newId();
  await db
    .insertInto('cccam_servers')
    .values({
      ...webifServer(oscam, { server_name: `OSCam ${oscam.port}` }),
      id,
      kind: 'oscam_webif',
      api_scheme: 'http',
      password: createSecrets(SECRET_KEY).seal(WEBIF.password, id),
      protocol: 'CCcam',
      status: 'active',
      latency_ms: null,
      user_id: null,
    })
    .execute();
  const names = Array.from({ length: LINES_OF_A_SERVER }, (_, line) => `box-${oscam.port}-${line}`);
  const owner = seededAccount(2 + (oscam.port % 50));
  await storeLines(
    db,
    owner,
    id,
    names.map((username) => ({ username })),
  );
  await storeTaken(db, id);
  for (const name of names) oscam.accounts().push({ ...newAccount(name), disabled: '0' });
}

/** All servers are asked once, and a minute lies between this reading and the one before. */
async function passMinute(client: pg.Client, oscams: OscamServer[], minute: number): Promise<void> {
  for (const oscam of oscams) connectClients(oscam, minute);
  await client.query(`update server_presence set read_at = read_at - interval '1 minute'`);
  const { rows } = await client.query(
    'update cccam_servers set next_check_at = now() returning now()',
  );
  for (const endsAt = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    const read = await client.query(
      'select count(*) from server_presence where read_at >= $1 and finding is null',
      [rows[0].now],
    );
    if (Number(read.rows[0].count) === oscams.length) return;
    if (performance.now() > endsAt) throw new Error('Not all servers were read.');
  }
}

/** Some of the lines go and others come; the counters of those that stay rise. */
function connectClients({ clients, accounts }: OscamServer, minute: number): void {
  const first = minute * CHANGED_OF_A_SERVER;
  const all = accounts();
  clients.length = 0;
  for (let index = first; index < first + ONLINE_OF_A_SERVER; index++) {
    const user = all[index % all.length]?.user ?? '';
    const requests = (minute + 1) * 6;
    const stats = { cwok: `${requests}`, cwnok: `${minute}`, cwlastresptime: '90' };
    const ip = `198.51.100.${index % 250}`;
    clients.push({ user, ip, login: new Date().toISOString().replace(/\.\d+Z/, 'Z'), stats });
  }
}

/** CPU time of the whole server in ms, of processes that have ended, too. */
async function usedByPostgres(backend: number): Promise<number> {
  const server = (await statOf(backend))[1];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(statOf));
  const children = pids.filter((_, index) => stats[index]?.[1] === server);
  const used = await Promise.all([...children, Number(server)].map(usedBy));
  return used.reduce((sum, ms) => sum + ms, 0);
}

/** Fields after the program's name: state, parent, … */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function readWritten(client: pg.Client, minutes: number) {
  const { rows } = await client.query(`
    select coalesce(sum(calls), 0)::integer as calls, coalesce(sum(wal_bytes), 0)::float8 as logged,
        (select sum(n_tup_hot_upd) / nullif(sum(n_tup_upd), 0)::float8 from pg_stat_user_tables
          where relname in ('line_presence', 'line_usage_hours')) as in_page
      from pg_stat_statements
      where query ~* '(insert into|update|delete from)\\s+"?(line_presence|line_usage_hours|server_presence)'
        and query !~ 'read_at - interval'`);
  const { calls, logged, in_page } = rows[0];
  return { statements: calls / minutes / SERVERS, logged: logged / minutes, inPage: in_page };
}
