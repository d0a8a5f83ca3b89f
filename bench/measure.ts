import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import type { Fixture } from './fixture.ts';
import type { Scenario } from './scenarios.ts';

/** The most concurrent requests of one account; the panel queues more. */
export const CONNECTIONS = 8;
/** The length of a round. */
export const ROUND_MS = 500;
const MS_A_TICK = 10;
const applications = { panel: 'linekeeper', bare: 'bare' };

interface Series {
  /** Replies per second, by round. */
  speeds: number[];
  /** CPU time per reply in the server's process, in milliseconds. */
  server: number;
  /** CPU time per reply in the database, in milliseconds. */
  database: number;
}

export interface Measured {
  scenario: string;
  lines: number;
  panel: Series;
  bare: Series;
}

/** One request after another on each connection, as fast as the server replies. */
interface Load {
  url: string;
  /** Returns a complete HTTP request, a different one at each call. */
  nextRequest: () => string;
  /** The status expected of each reply. */
  status: number;
  milliseconds: number;
}

/** Throws on any other status, because fast failures would count as speed. */
async function drive(load: Load): Promise<{ answers: number; aSecond: number }> {
  const { hostname, port } = new URL(load.url);
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => open(hostname, Number(port))),
  );
  const startedAt = performance.now();
  const endsAt = startedAt + load.milliseconds;
  const answered = await Promise.all(sockets.map((socket) => ask(socket, load, endsAt)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  const answers = answered.reduce((sum, count) => sum + count, 0);
  return { answers, aSecond: answers / seconds };
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves to the number of replies once the time is up and the last reply has come. */
function ask(socket: Socket, load: Load, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let head = '';
    /** Bytes of the body still to come; null while the header is read. */
    let missing: number | null = null;
    const next = () => socket.write(load.nextRequest());
    const readHead = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const status = Number(head.slice(9, 12));
      if (status !== load.status) {
        reject(new Error(`${load.url} answered ${head}`));
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      if (length === undefined) {
        reject(new Error(`${load.url} does not say how long its answer is`));
        return;
      }
      missing = Number(length) - (head.length - end - 4);
    };
    socket.on('data', (chunk) => {
      if (missing === null) readHead(chunk);
      else missing -= chunk.length;
      if (missing !== 0) return;
      head = '';
      missing = null;
      answered += 1;
      if (performance.now() < endsAt) next();
      else resolve(answered);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${load.url} closed the connection`)));
    next();
  });
}

/** CPU time in milliseconds. */
interface Used {
  /** Used by the server's own process. */
  server: number;
  /** Used by the database's processes that work for this server. */
  database: number;
}

/**
 * Starts counting CPU time; the returned function stops. Unlike replies per second, CPU time hardly
 * depends on other load. Linux only: 0 elsewhere.
 */
async function cpuClock(
  pid: number,
  databaseUrl: string,
  server: 'panel' | 'bare',
): Promise<() => Promise<Used>> {
  const backends = await backendsOf(databaseUrl, applications[server]);
  const [before, ...databaseBefore] = await Promise.all([pid, ...backends].map(usedBy));
  return async () => {
    const [after, ...databaseAfter] = await Promise.all([pid, ...backends].map(usedBy));
    return {
      server: (after ?? 0) - (before ?? 0),
      database: databaseAfter.reduce((sum, ms, at) => sum + ms - (databaseBefore[at] ?? 0), 0),
    };
  };
}

async function backendsOf(databaseUrl: string, application: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select pid from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [application],
  );
  await client.end();
  return rows.map((row) => row.pid);
}

/** CPU time of a process so far, in milliseconds. */
export async function usedBy(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the program's name, which may contain spaces, come user time and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_A_TICK;
}

/** Node compiles hot code at run time, so each server handles many requests before it is measured. */
export async function warmUp(
  fixture: Fixture,
  scenarios: Scenario[],
  wantedAnswers: number,
): Promise<void> {
  for (const scenario of scenarios) {
    const nextRequest = await scenario.requests(fixture);
    const load = { nextRequest, status: scenario.status, milliseconds: 200 };
    for (const { url } of [fixture.panel, fixture.bare]) {
      for (let answers = 0; answers < wantedAnswers / scenarios.length; ) {
        answers += (await drive({ ...load, url })).answers;
      }
    }
  }
}

/** All sizes and both servers alternate, so that other load affects each alike. */
export async function measure(
  scenario: Scenario,
  fixtures: Fixture[],
  rounds: number,
): Promise<Measured[]> {
  const rows = await Promise.all(
    fixtures.map(async (fixture) => ({
      fixture,
      nextRequest: await scenario.requests(fixture),
      panel: startSeries(fixture, 'panel'),
      bare: startSeries(fixture, 'bare'),
    })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { panel, bare, nextRequest } of rows) {
      // The order alternates, because the second one finds caches warm.
      const turns = round % 2 === 0 ? [panel, bare] : [bare, panel];
      for (const series of turns) await series.run({ nextRequest, status: scenario.status });
    }
  }
  return rows.map(({ fixture, panel, bare }) => {
    const { name } = scenario;
    const said = [panel, bare].map(({ speeds }) => speeds.map(Math.round).join(' ')).join(' | ');
    console.log(name, fixture.lines, said);
    return { scenario: name, lines: fixture.lines, panel: panel.sum(), bare: bare.sum() };
  });
}

/** The rounds of one server in one scenario. */
function startSeries(fixture: Fixture, server: 'panel' | 'bare') {
  const { url, pid } = fixture[server];
  const speeds: number[] = [];
  let answers = 0;
  const cpu = { server: 0, database: 0 };
  return {
    speeds,
    run: async (load: { nextRequest: () => string; status: number }) => {
      const used = await cpuClock(pid, fixture.databaseUrl, server);
      const driven = await drive({ ...load, url, milliseconds: ROUND_MS });
      const spent = await used();
      speeds.push(driven.aSecond);
      answers += driven.answers;
      cpu.server += spent.server;
      cpu.database += spent.database;
    },
    sum: () => ({ speeds, server: cpu.server / answers, database: cpu.database / answers }),
  };
}
