import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeRooms, readChanges, writeRooms } from './rooms.ts';

const SELL = 'apps/server/src/features/lines/sell/create-line.ts';
const SUM = 'Server, packages, agent and scripts';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linekeeper-rooms-'));
  write('docs/rooms.md', pageOf(0, 2_000, ['a room', 1]));
  write(SELL, code(400));
  write('apps/web/src/kit/list/rows.tsx', code(900));
  write('packages/contract/src/lines/lines.ts', code(100));
  git('init', '--quiet');
  writeRooms(folder);
  commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function pageOf(sum: number, bound: number, ...rooms: [string, number][]): string {
  const format = (lines: number) => lines.toLocaleString('en');
  const rows = rooms.map(([room, lines]) => `| \`${room}\` | ${format(lines)} |\n`);
  const sums = `${SUM}: ${format(sum)} lines of at most ${format(bound)}.`;
  return `# Rooms\n\n${sums}\n\n| Room | Lines |\n|---|---:|\n${rows.join('')}`;
}

const code = (lines: number) => 'export {};\n'.repeat(lines);
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function git(...args: string[]): void {
  const person = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  execFileSync('git', [...person, ...args], { cwd: folder, stdio: 'ignore' });
}

function commit(): void {
  git('add', '.');
  git('commit', '--quiet', '--message', 'A change');
}

test('the table has every room, and the bound falls to the next thousand above the sum', () => {
  expect(read('docs/rooms.md')).toBe(
    pageOf(
      500,
      1_000,
      ['apps/server/src/features/lines', 400],
      ['apps/web/src/kit/list', 900],
      ['packages/contract', 100],
    ),
  );
  expect(judgeRooms(folder)).toEqual({
    changes: [`${SUM}: 500 lines of at most 1,000`],
    problems: [],
  });
});

test('a room may grow by 40 lines; by more, the table must say so', () => {
  write(SELL, code(440));
  expect(judgeRooms(folder)).toEqual({
    changes: ['apps/server/src/features/lines +40', `${SUM}: 540 lines of at most 1,000`],
    problems: [],
  });

  commit();
  write(SELL, code(441));
  const { changes, problems } = judgeRooms(folder);
  expect(changes[0]).toBe('apps/server/src/features/lines +1');
  expect(problems).toEqual([
    expect.stringContaining('apps/server/src/features/lines has 441 lines, and 400 in docs/rooms'),
  ]);

  writeRooms(folder);
  expect(judgeRooms(folder).problems).toEqual([]);
});

test('a large room may grow by 5%', () => {
  const rows = 'apps/web/src/kit/list/rows.tsx';
  write(rows, code(945));
  expect(judgeRooms(folder).problems).toEqual([]);
  write(rows, code(946));
  expect(judgeRooms(folder).problems).toHaveLength(1);
});

test('a new room counts before git knows it, and tests, helpers and migrations do not', () => {
  write('apps/server/src/domain/plans/plan.ts', code(41));
  write('apps/server/src/domain/plans/plan.test.ts', code(500));
  write('apps/server/src/testing/plans.ts', code(500));
  write('apps/server/src/db/migrations/0100_plans.sql', code(500));
  write('apps/server/node_modules/zod/index.js', code(500));
  const { changes, problems } = judgeRooms(folder);
  expect(changes).toContain('apps/server/src/domain/plans +41');
  expect(problems).toEqual([expect.stringMatching(/^apps\/server\/src\/domain\/plans has 41/)]);
});

test('the sum has a bound, which the command that writes the table never raises', () => {
  write(SELL, code(950));
  writeRooms(folder);
  expect(judgeRooms(folder).problems).toEqual([
    `${SUM}: 1,050 lines of at most 1,000. Take something out.`,
  ]);
});

test('the stylesheets and texts of the web have bounds', () => {
  const page = `${read('docs/rooms.md')}\nWeb, CSS: 0 lines of at most 200.\n\nWeb, English texts: 0 of at most 300.\n`;
  write('docs/rooms.md', page);
  write('apps/web/src/kit/list/rows.css', '.a {}\n'.repeat(150));
  write('apps/web/src/locales/en/lines.json', '{"a": "A", "b": {"c": "C"}}');
  writeRooms(folder);
  expect(read('docs/rooms.md')).toContain('Web, CSS: 150 lines of at most 200.');
  expect(read('docs/rooms.md')).toContain('Web, English texts: 2 of at most 100.');
  write('apps/web/src/kit/list/more.css', '.a {}\n'.repeat(51));
  expect(judgeRooms(folder).problems).toEqual([
    'Web, CSS: 201 lines of at most 200. Take something out.',
  ]);
});

test('changes are those since the upstream branch, with what git does not know yet', () => {
  git('branch', 'upstream');
  git('branch', '--set-upstream-to=upstream');
  write(SELL, code(401));
  commit();
  write('docs/new.md', 'one\ntwo\n');
  rmSync(join(folder, 'packages/contract/src/lines/lines.ts'));
  expect(readChanges(folder)).toEqual([
    { path: SELL, lines: 1 },
    { path: 'packages/contract/src/lines/lines.ts', lines: -100 },
    { path: 'docs/new.md', lines: 2 },
  ]);
});

test('a folder without git has rooms, and no changes', () => {
  rmSync(join(folder, '.git'), { recursive: true });
  expect(judgeRooms(folder)).toEqual({
    changes: [`${SUM}: 500 lines of at most 1,000`],
    problems: [],
  });
});
