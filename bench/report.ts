import { cpus, totalmem } from 'node:os';
import { COLLECTING, type Collected } from './collecting.ts';
import { CONNECTIONS, type Measured, ROUND_MS } from './measure.ts';
import type { Touched } from './rows-touched.ts';
import type { SilentSales } from './silent-server.ts';
import type { Streams } from './streams.ts';

interface Results {
  /** Null where they were not measured. */
  streams: Streams | null;
  /** Null where it was not measured. */
  collected: Collected | null;
  /** Null where they were not measured. */
  silentSales: SilentSales | null;
  measured: Measured[];
  touched: Touched[];
  sizes: number[];
  rounds: number;
  /** Load average when the measurement began. */
  loadBefore: number;
}

const USUAL_RATIO_AIM = 0.7;
const ratioAims: Record<string, number> = { 'Who is signed in': 0.5, 'Create a line': 0.6 };
const aimOf = (scenario: string) => ratioAims[scenario] ?? USUAL_RATIO_AIM;
const GROWTH_AIM = 1.5;
const TOUCHED_AIM = 1000;
const MEMORY_AIM = 200;
const HEARD_AIM_MS = 2000;
/** Of a core. */
const COLLECTING_AIM = 0.02;
const STATEMENTS_AIM = 1;
const MINUTE_MS = 60_000;

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Ratio per round, so that load that slowed both servers cancels out. */
const ratio = (of: number[], to: number[]) =>
  median(of.map((value, round) => value / (to[round] ?? 0)));

const number = (value: number) => Math.round(value).toLocaleString('en');
const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function speeds({ measured }: Results): string {
  return table(
    ['', 'Rows', 'Panel, responses/s', 'Bare, responses/s', 'Panel to bare', 'Aim'],
    measured.map(({ scenario, lines, panel, bare }) => [
      scenario,
      number(lines),
      number(median(panel.speeds)),
      number(median(bare.speeds)),
      judged(ratio(panel.speeds, bare.speeds), (value) => value >= aimOf(scenario)),
      String(aimOf(scenario)),
    ]),
  );
}

function processorTime({ measured }: Results): string {
  return table(
    ['', 'Rows', 'Panel', 'its database', 'Bare', 'its database', 'Bare to panel'],
    measured.map(({ scenario, lines, panel, bare }) => [
      scenario,
      number(lines),
      ...[panel, bare].flatMap(({ server, database }) => [server.toFixed(2), database.toFixed(2)]),
      ((bare.server + bare.database) / (panel.server + panel.database)).toFixed(2),
    ]),
  );
}

function growth({ measured, sizes }: Results): string {
  const [least = 0] = sizes;
  const atLeast = measured.filter(({ lines }) => lines === least);
  const names = [...new Set(atLeast.map(({ scenario }) => scenario))];
  const of = (scenario: string, lines: number) =>
    measured.find((row) => row.scenario === scenario && row.lines === lines);
  return table(
    [
      '',
      ...sizes.slice(1).flatMap((lines) => [`Panel, ${number(lines)}`, `Bare, ${number(lines)}`]),
    ],
    names.map((name) => [
      name,
      ...sizes.slice(1).flatMap((lines) =>
        (['panel', 'bare'] as const).map((server) => {
          const value = ratio(
            of(name, least)?.[server].speeds ?? [],
            of(name, lines)?.[server].speeds ?? [],
          );
          return server === 'panel'
            ? judged(value, (cost) => cost <= GROWTH_AIM)
            : value.toFixed(2);
        }),
      ),
    ]),
  );
}

function judged(value: number, isMet: (value: number) => boolean): string {
  const shown = value.toFixed(2);
  return isMet(Number(shown)) ? shown : `**${shown}**`;
}

function rows({ touched, sizes }: Results): string {
  return table(
    ['', ...sizes.flatMap((lines) => [`Page, ${number(lines)}`, `Count, ${number(lines)}`])],
    touched.map(({ account, query, page, count }) => [
      `${account}: ${query}`,
      ...page.flatMap((value, index) =>
        [value, count[index] ?? 0].map((shown) =>
          account === 'a seller' && shown > TOUCHED_AIM && (sizes[index] ?? 0) > TOUCHED_AIM
            ? `**${number(shown)}**`
            : number(shown),
        ),
      ),
    ]),
  );
}

function live({ streams }: Results): string {
  if (!streams) return 'Not measured.';
  const { count, memory, slowest } = streams;
  const toAll = Math.max(...slowest);
  const shown = (value: number, aim: number) =>
    value <= aim ? number(value) : `**${number(value)}**`;
  return `With ${number(count)} open streams the panel's process used ${shown(memory, MEMORY_AIM)} MiB more than without
(aim: ${MEMORY_AIM}). Of ${slowest.length} messages to everyone, the slowest reached its last stream ${shown(toAll, HEARD_AIM_MS)} ms
after the request that sends it (aim: ${number(HEARD_AIM_MS)}).`;
}

function beside({ silentSales }: Results): string {
  if (!silentSales) return 'Not measured.';
  const { healthy, silent, meanwhile } = silentSales;
  const row = (name: string, ms: number) => [name, number(ms), (ms / healthy).toFixed(1)];
  return table(
    ['A sale, 95th percentile', 'ms', 'Relative to a healthy server'],
    [
      row('On a healthy server', healthy),
      row('On a silent one', silent),
      row('On a healthy one at the same time', meanwhile),
    ],
  );
}

function collecting({ collected }: Results): string {
  if (!collected) return 'Not measured.';
  const { servers, lines, online, panel, database, statements, logged, inPage } = collected;
  const share = (panel + database) / MINUTE_MS;
  const percent = (value: number, digits: number) => `${(100 * value).toFixed(digits)}%`;
  const figures = table(
    ['Per minute', 'Figure', 'Aim'],
    [
      ['Processor time of the panel, ms', number(panel), ''],
      ['Processor time of PostgreSQL, ms', number(database), ''],
      [
        'Both, share of a core',
        share <= COLLECTING_AIM ? percent(share, 1) : `**${percent(share, 1)}**`,
        percent(COLLECTING_AIM, 0),
      ],
      [
        'Statements that store who is online, per server',
        judged(statements, (value) => value <= STATEMENTS_AIM),
        String(STATEMENTS_AIM),
      ],
      ["Written to PostgreSQL's log, KiB", number(logged / 1024), ''],
      ['Updated rows that stay on their page', percent(inPage, 0), ''],
    ],
  );
  return `${number(servers)} simulated OSCams, reached by their web interface, with ${number(lines)} lines,
${number(online)} of them online. Each is asked once a minute. The figures include the checks of the servers.

${figures}`;
}

function memory(): string {
  return `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
}

export function report(results: Results): string {
  const { rounds, sizes, loadBefore } = results;
  return `# How fast the panel is

Measured by \`npm run bench\` on ${cpus().length} processors with ${memory()}, shared by PostgreSQL, the
servers and the clients. Panel and bare server take turns on the same databases: ${rounds} rounds of
${ROUND_MS / 1000} s each after a warm-up, with ${CONNECTIONS} connections. The figures are medians. There are 20,000 accounts, and a page
has 50 rows. For accounts, transfers and the audit log, *Rows* is their own number. Figures in bold miss their aim. The machine's load average
was ${loadBefore.toFixed(1)} at the start: on a busy machine, only the ratios are meaningful.

The bare server uses only \`node:http\` and \`pg\`, with prepared statements: one for the session, and one for a
page with the owners' emails. Before the measurement, its rows are compared with the panel's. It counts nothing, does not check
whether a line is delivered, validates nothing, logs nothing and sets no headers except type and length. A sale writes the
key, the debit, the line, the transfer, the wanted state, the result of the push and the response, but no
audit entry, no lease of the push, and nothing from which to respond after a crash.

## Responses per second

${speeds(results)}

In both, a sale includes its push to a simulated card server that accepts everything immediately, because the panel responds only
after the push. PostgreSQL does not wait for the disk (\`fsync\` and \`synchronous_commit\` off), which favours the bare server.

## Processor time of a response

Milliseconds in the process of the server and in that of the database, without the clients.

${processorTime(results)}

## Cost of a response compared with ${number(sizes[0] ?? 0)} lines

Aim: ${GROWTH_AIM} at most. A first page of lines counts them if their number is not cached; a search
counts its results, up to 10,000.

${sizes.length > 1 ? growth(results) : ''}

## Beside a silent server

A card server that responds to tests, but not to changes. A sale on it is reported as pending after 2 s.

${beside(results)}

## Live events

${live(results)}

## ${COLLECTING}

${collecting(results)}

## Rows touched

Rows that the scans for one page and for its count return or discard, by EXPLAIN (ANALYZE). Aim: ${number(TOUCHED_AIM)}
for an account with nobody below it, here the one with the most lines. An administrator's count ends at
10,001. With 1,000 lines PostgreSQL reads the whole table, which is cheaper than any index.

${rows(results)}
`;
}
