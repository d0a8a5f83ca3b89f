// Measures with Lighthouse how fast pages open; see scripts/bench.mjs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium, type Page } from 'playwright-core';
import { connectPostgres } from '../apps/server/src/db/connect.ts';
import { seed } from '../apps/server/src/testing/seed/lines.ts';
import { chromiumLaunchOptions } from '../scripts/test-chromium.ts';
import { startPostgres } from '../scripts/test-postgres.ts';
import { startPanel } from './servers.ts';

const person = { email: 'admin@bench.example', password: 'the password of the benchmark' };
const LINES = 1000;

const pages = [
  { name: 'Sign in', path: '/sign-in', isSignedIn: false, aim: 90 },
  { name: 'Lines', path: '/users/all', isSignedIn: true, aim: 75 },
  { name: 'Add line', path: '/users/add', isSignedIn: true, aim: 75 },
];
const forms = [
  { name: 'phone', config: undefined },
  { name: 'desktop', config: desktopConfig },
];
const { values: options } = parseArgs({
  options: {
    lighthouse: { type: 'boolean' },
    /** Too short for a judgement; only shows that everything runs. */
    quick: { type: 'boolean', default: false },
  },
});
const rounds = options.quick ? 1 : 5;
const LONGEST_BLOCKING_MS = 300;
const PORT = 20_000 + Math.floor(Math.random() * 20_000);

interface Opened {
  performance: number;
  accessibility: number;
  practices: number;
  blocking: number;
  /** Values that do not depend on the load of the machine. */
  requests: number;
  scriptKiB: number;
  elements: number;
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.locator('input[name="email"]').fill(person.email);
  await page.locator('input[name="password"]').fill(person.password);
  await page.locator('button[type="submit"]').click();
  await page.waitForURL((address) => address.pathname !== '/sign-in');
}

async function open(address: string, config: typeof desktopConfig | undefined): Promise<Opened> {
  const flags = { port: PORT, logLevel: 'error' as const };
  const result = await lighthouse(address, flags, config);
  if (!result) throw new Error(`Lighthouse says nothing about ${address}`);
  const { categories, audits } = result.lhr;
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const details = audits['network-requests']?.details;
  const requests = (details && 'items' in details ? details.items : []) as unknown as {
    resourceType: string;
    transferSize: number;
  }[];
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script');
  const elements = audits['dom-size-insight']?.details ?? audits['dom-size']?.details;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    blocking: Math.round(audits['total-blocking-time']?.numericValue ?? 0),
    requests: requests.length,
    scriptKiB: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024,
    elements: elementCount(elements),
  };
}

/** The first number in Lighthouse's details about the page's size. */
function elementCount(details: unknown): number {
  const found = /"value":(\d+)/.exec(JSON.stringify(details ?? null));
  return Number(found?.[1] ?? 0);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function row(name: string, form: string, aim: number, rounds: Opened[]): string {
  const middle = (figure: keyof Opened) => Math.round(median(rounds.map((one) => one[figure])));
  const judged = (figure: keyof Opened, isMet: (value: number) => boolean) => {
    const value = middle(figure);
    return isMet(value) ? String(value) : `**${value}**`;
  };
  return `| ${[
    `${name}, ${form}`,
    judged('performance', (value) => value >= aim),
    judged('blocking', (value) => value <= LONGEST_BLOCKING_MS),
    judged('accessibility', (value) => value === 100),
    judged('practices', (value) => value === 100),
    middle('requests'),
    middle('scriptKiB'),
    middle('elements'),
  ].join(' | ')} |`;
}

function report(rows: readonly string[]): string {
  const [load = 0] = loadavg();
  return `# How fast pages open in a browser

Made by \`npm run bench -- --lighthouse\`. By Lighthouse, which slows a phone's processor and network down; medians of ${rounds}. Aims: performance 90 for
sign-in and 75 for lists, blocking ${LONGEST_BLOCKING_MS} ms, the others 100. Load average ${load.toFixed(1)}: with other work beside
it only requests, script and elements say something.

| | Performance | Blocking, ms | Accessibility | Best practices | Requests | Script, KiB | Elements |
| --- | --: | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}
`;
}

/** Opens each page `rounds` times on a phone and a desktop; hands on each row that is done. */
async function measurePages(url: string, onRow: (row: string) => Promise<void>): Promise<void> {
  const { args, ...launch } = await chromiumLaunchOptions();
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-lighthouse-'));
  const browser = await chromium.launchPersistentContext(folder, {
    ...launch,
    args: [...args, `--remote-debugging-port=${PORT}`],
  });
  let isVisitor = true;
  try {
    // Pages for visitors first, because signed-in accounts are redirected.
    for (const { name, path, isSignedIn, aim } of pages) {
      const page = await browser.newPage();
      if (isSignedIn && isVisitor) {
        await signIn(page, url);
        isVisitor = false;
      }
      await page.close();
      for (const form of forms) {
        const opened: Opened[] = [];
        for (let round = 0; round < rounds; round++) {
          opened.push(await open(url + path, form.config));
        }
        await onRow(row(name, form.name, aim, opened));
      }
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const postgres = await startPostgres();
const env = {
  DATABASE_URL: postgres.url(),
  SECRET_KEY: 'a secret key of the benchmark, long enough',
};
// Started before the seed, which creates administrators: then the first one would not be created.
const panel = await startPanel({
  ...env,
  ADMIN_EMAIL: person.email,
  ADMIN_PASSWORD: person.password,
});
try {
  const connection = await connectPostgres(env.DATABASE_URL);
  await seed(connection.db, { accounts: 100, lines: LINES });
  await connection.close();
  const rows: string[] = [];
  await measurePages(panel.url, async (measured) => {
    rows.push(measured);
    console.log(measured);
    // Written after each, because a run takes long and what is measured shall not be lost.
    if (!options.quick) await writeFile(join(import.meta.dirname, 'pages.md'), report(rows));
  });
} finally {
  await panel.stop();
  await postgres.stop();
}
process.exit();
