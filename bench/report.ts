import { cpus, totalmem } from 'node:os';
import type { Touched } from './rows-touched.ts';

/** Answers a second of both servers, round by round. */
export interface Measured {
  scenario: string;
  lines: number;
  panel: number[];
  bare: number[];
}

interface Results {
  measured: Measured[];
  touched: Touched[];
  sizes: number[];
  rounds: number;
  milliseconds: number;
  connections: number;
}

const RATIO_AIM = 0.7;
const GROWTH_AIM = 1.5;
const TOUCHED_AIM = 1000;

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Of the rounds, each with itself: what slowed both is in neither. */
const ratio = (of: number[], to: number[]) =>
  median(of.map((value, round) => value / (to[round] ?? 0)));

const number = (value: number) => Math.round(value).toLocaleString('en');
const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function speeds({ measured }: Results): string {
  return table(
    ['', 'Lines', 'Panel, answers/s', 'Bare, answers/s', 'Panel to bare'],
    measured.map(({ scenario, lines, panel, bare }) => [
      scenario,
      number(lines),
      number(median(panel)),
      number(median(bare)),
      judged(ratio(panel, bare), (value) => value >= RATIO_AIM),
    ]),
  );
}

function growth({ measured, sizes }: Results): string {
  const [least = 0] = sizes;
  const names = [...new Set(measured.map(({ scenario }) => scenario))];
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
          const value = ratio(of(name, least)?.[server] ?? [], of(name, lines)?.[server] ?? []);
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
          account === 'a leaf' && shown > TOUCHED_AIM && (sizes[index] ?? 0) > TOUCHED_AIM
            ? `**${number(shown)}**`
            : number(shown),
        ),
      ),
    ]),
  );
}

function memory(): string {
  return `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
}

export function report(results: Results): string {
  const { rounds, milliseconds, connections, sizes } = results;
  return `# How fast the panel is

Made by \`npm run bench\`. ${cpus().length} processors and ${memory()}, shared by PostgreSQL, the
servers and what asks them. Both servers answer on the same databases in turns: ${rounds} rounds of
${milliseconds / 1000} s each after a warm-up, ${connections} connections, medians. 20,000 accounts; a page
has 50 lines. Figures in bold miss their aim.

The bare server is \`node:http\` and \`pg\` alone. It checks the same session by the same statement, sends
the statements that the panel sends, word for word, and answers with the same fields. It validates
nothing, logs nothing and sets no headers beyond type and length.

## Answers a second

Aim: ${RATIO_AIM} of the bare server or better.

${speeds(results)}

A sale carries its push in both: a card server that takes everything at once stands beside them. Left
out it could not be, as the panel answers only after it. PostgreSQL does not wait for the disk
(\`fsync\` and \`synchronous_commit\` off), which favours the bare server.

## Cost of an answer compared with ${number(sizes[0] ?? 0)} lines

Aim: ${GROWTH_AIM} at most. A first page counts its lines, up to 10,000: with few lines there is little to
count.

${sizes.length > 1 ? growth(results) : ''}

## Rows touched

What the scans of one page and of its count give or throw away, by EXPLAIN (ANALYZE). Aim: ${number(TOUCHED_AIM)}
for an account with nobody below it, here the one with the most lines. An administrator's count ends at
10,001.

${rows(results)}
`;
}
