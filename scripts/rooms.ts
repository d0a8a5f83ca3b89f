import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Compares the lines of code in each room of the house with the table in docs/rooms.md, and prints what the changes add
 * to each. Exits with 1 if a room grew and the table did not. With -u, writes the table.
 */

const TABLE = 'docs/rooms.md';
/**
 * The growth of a room that needs no change of the table: up to this share, or this number of lines if that is more.
 */
const FREE_SHARE = 0.05;
const FREE_LINES = 40;
const SOURCES = '{apps,packages,scripts,bench,e2e/support}/**/*.{ts,tsx,mjs,js}';
/** Folders whose subfolders are separate rooms. */
const OF_ROOMS = /^apps\/(server|web)\/src\/(domain|features|kit|platform)$/;
const ROW = /^\| `(.+)` \| ([\d,]+) \|$/gm;
/** A sum and its bound in the page's text. */
const SUM = /^(.+): ([\d,]+)( lines)? of at most ([\d,]+)\.$/gm;

interface Sum {
  /** The number of which the bound is a multiple. */
  step: number;
  count(folder: string, rooms: Map<string, number>): number;
}

/** The sums with a bound, by their names on the page. */
const sums: Record<string, Sum> = {
  'Server, packages, agent and scripts': {
    step: 1_000,
    count: (_, rooms) => sumOf(rooms, /^(apps\/(server|agent)|packages|scripts)(\/|$)/),
  },
  'Web, TypeScript': { step: 1_000, count: (_, rooms) => sumOf(rooms, /^apps\/web(\/|$)/) },
  'Web, CSS': {
    step: 100,
    count: (folder) =>
      globSync('apps/web/src/**/*.css', { cwd: folder })
        .map((file) => linesOf(join(folder, file)))
        .reduce((sum, lines) => sum + lines, 0),
  },
  'Web, English texts': {
    step: 100,
    count: (folder) =>
      globSync('apps/web/src/locales/en/*.json', { cwd: folder })
        .map((file) => countTexts(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
        .reduce((sum, texts) => sum + texts, 0),
  },
};

function countTexts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + countTexts(one), 0);
}

/** True for files that are neither tests nor used by tests only. */
export function isProduct(path: string): boolean {
  return !/\.(test|setup|soak)\.tsx?$|\/(testing|security|process-tests)\/|\/testing\.ts$/.test(
    path,
  );
}

/** The room of a file of code; null for other files. */
function roomOf(path: string): string | null {
  if (!/\.(ts|tsx|mjs|js)$/.test(path) || !isProduct(path)) return null;
  const folders = path.split('/').slice(0, -1);
  const [top, , source] = folders;
  if (top === 'scripts' || top === 'bench') return top;
  if (top === 'packages' || path.startsWith('apps/agent/')) return folders.slice(0, 2).join('/');
  if (path.startsWith('e2e/support/')) return 'e2e/support';
  if (top !== 'apps') return null;
  if (source !== 'src') return folders.slice(0, 2).join('/');
  return folders.slice(0, OF_ROOMS.test(folders.slice(0, 4).join('/')) ? 5 : 4).join('/');
}

function countRooms(folder: string): Map<string, number> {
  const rooms = new Map<string, number>();
  const exclude = (path: string) => /(^|[\\/])(node_modules|dist)$/.test(path);
  for (const file of globSync(SOURCES, { cwd: folder, exclude })) {
    const room = roomOf(file.replaceAll(sep, '/'));
    if (room) rooms.set(room, (rooms.get(room) ?? 0) + linesOf(join(folder, file)));
  }
  return new Map([...rooms].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sumOf(rooms: Map<string, number>, counted: RegExp): number {
  return [...rooms].reduce((sum, [room, lines]) => (counted.test(room) ? sum + lines : sum), 0);
}

const format = (lines: number) => lines.toLocaleString('en');
const parse = (text = '0') => Number(text.replaceAll(',', ''));

interface Judgement {
  /** A sentence for each room that the changes make larger or smaller, and one for each sum. */
  changes: string[];
  problems: string[];
}

export function judgeRooms(folder: string): Judgement {
  const text = readFileSync(join(folder, TABLE), 'utf8');
  const table = new Map(
    [...text.matchAll(ROW)].map(([, room = '', lines]) => [room, parse(lines)]),
  );
  const rooms = countRooms(folder);
  const grown = [...rooms].filter(([room, lines]) => {
    const before = table.get(room) ?? 0;
    return lines - before > Math.max(FREE_LINES, before * FREE_SHARE);
  });
  const problems = grown.map(
    ([room, lines]) =>
      `${room} has ${format(lines)} lines, and ${format(table.get(room) ?? 0)} in ${TABLE}. Take something out, or write the table with: node scripts/rooms.ts -u`,
  );
  const totals: string[] = [];
  for (const [, name = '', , lines = '', most] of text.matchAll(SUM)) {
    const total = sums[name]?.count(folder, rooms) ?? 0;
    totals.push(`${name}: ${format(total)}${lines} of at most ${most}`);
    if (total > parse(most)) problems.push(`${totals.at(-1)}. Take something out.`);
  }
  const added = new Map<string, number>();
  for (const { path, lines } of readChanges(folder)) {
    const room = roomOf(path);
    if (room) added.set(room, (added.get(room) ?? 0) + lines);
  }
  const changes = [...added]
    .filter(([, lines]) => lines !== 0)
    .map(([room, lines]) => `${room} ${lines > 0 ? '+' : ''}${lines}`);
  return { changes: [...changes, ...totals], problems };
}

interface Change {
  /** The path with / between folders. */
  path: string;
  /** Number of added lines minus removed ones; 0 for a file that is not text. */
  lines: number;
}

/**
 * The files that differ from the upstream branch at the point where this one left it, or from the
 * last commit if there is no upstream branch. Untracked files are included.
 */
export function readChanges(root: string): Change[] {
  const base = tryGit(root, 'merge-base', 'HEAD', '@{upstream}')?.trim() || 'HEAD';
  const changed = partsOf(tryGit(root, 'diff', '--numstat', '--no-renames', '-z', base));
  const unknown = partsOf(tryGit(root, 'ls-files', '--others', '--exclude-standard', '-z'));
  return [
    ...changed.map((row) => {
      const [added, removed, path = ''] = row.split('\t');
      return { path, lines: (Number(added) || 0) - (Number(removed) || 0) };
    }),
    ...unknown.map((path) => ({ path, lines: linesOf(join(root, path)) })),
  ];
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function partsOf(output: string | null): string[] {
  return (output ?? '').split('\0').filter((part) => part !== '');
}

/** The output of a git command. Null without git, or if git refuses: a downloaded archive has no history. */
function tryGit(root: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

/** Writes the table. A bound falls with its sum; only a person raises a bound, with the reason. */
export function writeRooms(folder: string): void {
  const page = join(folder, TABLE);
  const text = readFileSync(page, 'utf8');
  const rooms = countRooms(folder);
  const rows = [...rooms].map(([room, lines]) => `| \`${room}\` | ${format(lines)} |\n`);
  const head = '| Room | Lines |\n|---|---:|\n';
  writeFileSync(
    page,
    text
      .replace(/\| Room[\s\S]*\|\n/, () => `${head}${rows.join('')}`)
      .replace(SUM, (sentence, name, _, lines = '', most) => {
        const sum = sums[name];
        if (!sum) return sentence;
        const total = sum.count(folder, rooms);
        const bound = Math.min(parse(most), Math.ceil(total / sum.step) * sum.step);
        return `${name}: ${format(total)}${lines} of at most ${format(bound)}.`;
      }),
  );
}

if (import.meta.main) {
  if (process.argv.includes('-u')) writeRooms(root);
  const { changes, problems } = judgeRooms(root);
  for (const sentence of [...changes, ...problems]) console.log(sentence);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
