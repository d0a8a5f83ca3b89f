// Measures the panel beside a bare server, on the same databases in the same run; see scripts/bench.mjs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../scripts/test-postgres.ts';
import { drive } from './driver.ts';
import { type Measured, report } from './report.ts';
import { countRowsTouched } from './rows-touched.ts';
import { compareAnswers, type Scenario, scenarios } from './scenarios.ts';
import { startCardServer } from './servers.ts';
import { openShop, type Shop } from './shop.ts';

const CONNECTIONS = 10;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    /** Too short to judge by; shows that everything runs. */
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, 'results.md') },
  },
});
const sizes = options.sizes.split(',').map(Number);
const rounds = options.quick ? 1 : 9;
const milliseconds = 500;
const warmUpAnswers = options.quick ? 100 : 1000;

const postgres = await startPostgres({
  // An automatic VACUUM or ANALYZE in the midst of a round would be counted as the panel's.
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' },
});
const cardServer = await startCardServer();
const shops: Shop[] = [];
const end = async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await cardServer.stop();
  await postgres.stop();
};
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

try {
  for (const lines of sizes) {
    const before = performance.now();
    shops.push(await openShop(postgres, lines, cardServer));
    const seconds = ((performance.now() - before) / 1000).toFixed(0);
    console.log(`${lines.toLocaleString('en')} lines stand ready after ${seconds} s`);
  }
  for (const shop of shops) await compareAnswers(shop);
  const touched = await countRowsTouched(shops);
  for (const shop of shops) await warmUp(shop);
  const measured: Measured[] = [];
  for (const scenario of scenarios) measured.push(...(await measure(scenario)));
  const text = report({ measured, touched, sizes, rounds, milliseconds, connections: CONNECTIONS });
  console.log(text);
  if (!options.quick) await writeFile(options.out, text);
} finally {
  await end();
}
process.exit();

/** A server compiles what it runs while it runs it: none is measured before it has answered a lot. */
async function warmUp(shop: Shop): Promise<void> {
  for (const scenario of scenarios) {
    const nextRequest = await scenario.requests(shop);
    const load = { nextRequest, status: scenario.status, connections: CONNECTIONS };
    for (const { url } of [shop.panel, shop.bare]) {
      for (let answers = 0; answers < warmUpAnswers / scenarios.length; ) {
        answers += (await drive({ ...load, url, milliseconds: 200 })).answers;
      }
    }
  }
}

/** All sizes and both servers take turns, so what else the machine does meets each alike. */
async function measure(scenario: Scenario): Promise<Measured[]> {
  const rows = await Promise.all(
    shops.map(async (shop) => ({
      shop,
      scenario: scenario.name,
      lines: shop.lines,
      panel: [] as number[],
      bare: [] as number[],
      nextRequest: await scenario.requests(shop),
    })),
  );
  const load = { status: scenario.status, connections: CONNECTIONS };
  for (let round = 0; round < rounds; round++) {
    for (const { shop, panel, bare, nextRequest } of rows) {
      const turns = [
        { url: shop.panel.url, results: panel },
        { url: shop.bare.url, results: bare },
      ];
      // Who comes second finds the machine warmer.
      for (const { url, results } of round % 2 === 0 ? turns : turns.toReversed()) {
        results.push((await drive({ ...load, url, nextRequest, milliseconds })).aSecond);
      }
    }
  }
  for (const { scenario: name, lines, panel, bare } of rows) {
    console.log(name, lines, panel.map(Math.round).join(' '), '|', bare.map(Math.round).join(' '));
  }
  return rows.map(({ shop: _, nextRequest: __, ...row }) => row);
}
