// `npm run bench`: measures the panel against a bare server on the same databases in the same run.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../scripts/test-postgres.ts';
import { COLLECTING, measureCollecting } from './collecting.ts';
import { type Fixture, type Kind, openFixture } from './fixture.ts';
import { type Measured, measure, warmUp } from './measure.ts';
import { report } from './report.ts';
import { RESULTS, writeServerResults } from './results-file.ts';
import { countRowsTouched } from './rows-touched.ts';
import { compareAnswers, type Scenario, scenarios } from './scenarios.ts';
import { startCardServer } from './servers.ts';
import { measureSilentServer } from './silent-server.ts';
import { measureStreams } from './streams.ts';

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
const isChosen = (name: string) => options.only.split(',').some((text) => name.includes(text));
const chosen: Scenario[] = scenarios.filter(({ name }) => isChosen(name));
/** Minutes of collecting who is on. */
const minutes = options.quick ? 1 : 10;
const rounds = options.quick ? 1 : Number(options.rounds);
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
  const sizesOf = { lines: sizes, records: [RECORDS], talk: [RECORDS] };
  for (const kind of ['lines', 'records', 'talk'] as const) {
    if (scenariosOf(kind).length === 0) continue;
    for (const size of sizesOf[kind]) await open(kind, size);
  }
  for (const fixture of fixtures) await compareAnswers(fixture);
  const touched = await countRowsTouched(fixtures.filter(({ kind }) => kind === 'lines'));
  const [loadBefore = 0] = loadavg();
  for (const fixture of fixtures) await warmUp(fixture, scenariosOf(fixture.kind), warmUpAnswers);
  const measured: Measured[] = [];
  for (const scenario of chosen) {
    const own = fixtures.filter(({ kind }) => scenariosOf(kind).includes(scenario));
    measured.push(...(await measure(scenario, own, rounds)));
  }
  const talk = fixtures.find(({ kind }) => kind === 'talk');
  const [smallest] = fixtures.filter(({ kind }) => kind === 'lines');
  const text = report({
    // Last, because the server that it adds is the newest of all.
    silentSales: smallest ? await measureSilentServer(smallest) : null,
    collected: isChosen(COLLECTING) ? await measureCollecting(minutes) : null,
    streams: talk ? await measureStreams(talk) : null,
    measured,
    touched,
    sizes,
    rounds,
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

function scenariosOf(wanted: Kind): Scenario[] {
  return chosen.filter(({ on = 'lines' }) => on === wanted);
}
