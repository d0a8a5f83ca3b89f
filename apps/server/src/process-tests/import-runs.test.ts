// @module-tag thorough
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { runProgram } from '../testing/command.ts';
import { startTestAgent } from '../testing/panel.ts';
import { FIRST_START, makeMigratedDatabase, openTestWorld } from '../testing/process.ts';

let agent: Awaited<ReturnType<typeof startTestAgent>>;
let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let panel: Panel;
let folder: string;
const env = () => ({ ...database.env, ...FIRST_START });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linekeeper-import-runs-'));
  agent = await startTestAgent();
  database = await makeMigratedDatabase('postgres');
  const log = pino({ level: 'silent' });
  panel = await startPanel({ ...env(), HOST: '127.0.0.1', PORT: '0' }, log);
  await openTestWorld(panel.url, agent.url);
});
afterAll(async () => {
  await panel?.close();
  await agent?.close();
  await database?.remove();
  await rm(folder, { recursive: true, force: true });
});

const run = (name: string, ...options: string[]) =>
  runProgram('import.ts', [join(folder, name), ...options], env());

test.each([
  [
    'lines.csv',
    'user,pass,expiry',
    (row: number) => `twice-${row},pw-${row},2031-03-05`,
    'CSV of lines, 400 lines',
  ],
  [
    'accounts.csv',
    'email,group,credits',
    (row: number) => `twice-${row}@panel.example,Users,0`,
    'CSV of accounts, 400 accounts',
  ],
])(
  'two runs of %s side by side adopt each row once and refuse none',
  async (name, head, rowOf, what) => {
    const rows = Array.from({ length: 400 }, (_, row) => rowOf(row));
    await writeFile(join(folder, name), [head, ...rows].join('\n'));
    const runs = await Promise.all([run(name, '--apply'), run(name, '--apply')]);
    const added = runs.map(({ code, stdout, stderr }) => {
      expect([code, stderr]).toEqual([0, '']);
      const [first, last = '', ...others] = stdout.trimEnd().split('\n');
      expect([first, others]).toEqual([`${join(folder, name)}: ${what}`, []]);
      const [, fresh, there] =
        /^(\d+) new, (\d+) already there, 0 differ and were not changed$/.exec(last) ?? [];
      expect(Number(fresh) + Number(there)).toBe(400);
      return Number(fresh);
    });
    expect(added.reduce((sum, count) => sum + count)).toBe(400);
  },
);

test('a file of one line is called so, and one that cannot be read is named', async () => {
  await writeFile(join(folder, 'one.csv'), 'user,pass,expiry\nonly,pw,2031-03-05');
  expect((await run('one.csv')).stdout).toContain('/one.csv: CSV of lines, 1 line\n');
  const told = (name: string, why: string) => ({
    code: 1,
    stdout: '',
    stderr: `${join(folder, name)} cannot be read: ${why}\n`,
  });
  expect(await run('gone.csv')).toEqual(told('gone.csv', 'there is no such file'));
  expect(await run('')).toEqual(told('', 'it is a folder'));
});
