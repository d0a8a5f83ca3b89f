// Measures the panel against a bare server on the same databases in the same run; see
// scripts/bench.mjs.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../scripts/test-postgres.ts';
import { cpuClock } from './cpu.ts';
import { drive } from './driver.ts';
import { type Fixture, type Kind, openFixture } from './fixture.ts';
import { type Measured, report } from './report.ts';
import { RESULTS, writeServerResults } from './results-file.ts';
import { countRowsTouched } from './rows-touched.ts';
import { compareAnswers, type Scenario, scenarios } from './scenarios.ts';
import { startCardServer } from './servers.ts';
import { measureSilentServer } from './silent-server.ts';
import { measureStreams } from './streams.ts';

/** The most concurrent requests of one account; the panel queues more. */
const CONNECTIONS = 8;
/** Accounts, transfers and entries of the audit log, or messages, where these are asked for. */
const RECORDS = 100_000;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string' },
    /** Rounds of half a second for each server. */
    rounds: { type: 'string', default: '9' },
    /** Runs only scenarios whose name contains one of these texts, with commas between. */
    only: { type: 'string', default: '' },
    /** Too short for a judgement; only shows that everything runs. */
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: RESULTS },
  },
});
const sizes = (options.sizes ?? (options.quick ? '1000,100000' : '1000,100000,1000000'))
  .split(',')
  .map(Number);
const chosen: Scenario[] = scenarios.filter(({ name }) =>
  options.only.split(',').some((text) => name.includes(text)),
);
const rounds = options.quick ? 1 : Number(options.rounds);
const milliseconds = 500;
const warmUpAnswers = options.quick ? 100 : 1000;

const postgres = await startPostgres({
  // An automatic VACUUM or ANALYZE during a round would be counted as the panel's cost.
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' },
});
const cardServer = await startCardServer();
const fixtures: Fixture[] = [];
const end = async () => {
  await Promise.all(fixtures.map((fixture) => fixture.stop()));
  await cardServer.stop();
  await postgres.stop();
};
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

try {
  if (chosen.some(({ on = 'lines' }) => on === 'lines')) {
    for (const lines of sizes) await open('lines', lines);
  }
  if (chosen.some(({ on }) => on === 'records')) await open('records', RECORDS);
  if (chosen.some(({ on }) => on === 'talk')) await open('talk', RECORDS);
  for (const fixture of fixtures) await compareAnswers(fixture);
  const touched = await countRowsTouched(fixtures.filter(({ kind }) => kind === 'lines'));
  const [loadBefore = 0] = loadavg();
  for (const fixture of fixtures) await warmUp(fixture);
  const measured: Measured[] = [];
  for (const scenario of chosen) measured.push(...(await measure(scenario)));
  const talk = fixtures.find(({ kind }) => kind === 'talk');
  const [smallest] = fixtures.filter(({ kind }) => kind === 'lines');
  const text = report({
    // Last, because the server that it adds is the newest of all.
    silentSales: smallest ? await measureSilentServer(smallest) : null,
    streams: talk ? await measureStreams(talk) : null,
    measured,
    touched,
    sizes,
    rounds,
    milliseconds,
    connections: CONNECTIONS,
    loadBefore,
  });
  console.log(text);
  if (!options.quick && !options.only) await writeServerResults(options.out, text);
} finally {
  await end();
}
process.exit();

async function open(kind: Kind, lines: number): Promise<void> {
  const before = performance.now();
  fixtures.push(await openFixture(postgres, kind, lines, cardServer));
  const seconds = ((performance.now() - before) / 1000).toFixed(0);
  console.log(`${lines.toLocaleString('en')} ${kind} stand ready after ${seconds} s`);
}

/** Scenarios whose rows the fixture has. */
function scenariosOf({ kind }: Fixture): Scenario[] {
  return chosen.filter(({ on = 'lines' }) => on === kind);
}

/** Node compiles hot code at run time, so each server handles many requests before it is measured. */
async function warmUp(fixture: Fixture): Promise<void> {
  for (const scenario of scenariosOf(fixture)) {
    const nextRequest = await scenario.requests(fixture);
    const load = { nextRequest, status: scenario.status, connections: CONNECTIONS };
    for (const { url } of [fixture.panel, fixture.bare]) {
      for (let answers = 0; answers < warmUpAnswers / scenariosOf(fixture).length; ) {
        answers += (await drive({ ...load, url, milliseconds: 200 })).answers;
      }
    }
  }
}

/** All sizes and both servers alternate, so that other load affects each alike. */
async function measure(scenario: Scenario): Promise<Measured[]> {
  const rows = await Promise.all(
    fixtures
      .filter((fixture) => scenariosOf(fixture).includes(scenario))
      .map(async (fixture) => ({
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
      const driven = await drive({ ...load, url, connections: CONNECTIONS, milliseconds });
      const spent = await used();
      speeds.push(driven.aSecond);
      answers += driven.answers;
      cpu.server += spent.server;
      cpu.database += spent.database;
    },
    sum: () => ({ speeds, server: cpu.server / answers, database: cpu.database / answers }),
  };
}
