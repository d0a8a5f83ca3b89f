// @module-tag thorough
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBackup } from '../../db/backup/read-backup.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { ENVIRONMENT, runProgram } from '../../testing/process/command.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url));
const NAME = /^linekeeper-\d{4}-\d\d-\d\d-\d{6}\.lkb\.gz$/;

let panel: TestPanel;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  panel = await startTestPanel('postgres');
  const { DATABASE_URL = '', SECRET_KEY = '' } = panel.env;
  env = { DATABASE_URL, SECRET_KEY };
});
afterAll(() => panel?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linekeeper-command-'));
  return () => rm(folder, { recursive: true });
});

/** Runs a command by the scripts of the repository, in a shell, as npm does. */
async function runShell(command: string, settings: Record<string, string>) {
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
    cwd: REPOSITORY,
    env: {
      ...ENVIRONMENT,
      NODE: process.execPath,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

async function expectOneBackup(inside: string): Promise<void> {
  const names = await readdir(inside);
  expect(names).toEqual([expect.stringMatching(NAME)]);
  expect((await readBackup(join(inside, names[0] ?? ''))).foot.rows).toBeGreaterThan(10);
}

describe('npm run backup', () => {
  test.each(['new', 'new/deeper/', 'v1.0', 'a.gz'])('makes the folder %s', async (given) => {
    const outcome = await runProgram('backup.ts', [`${folder}/${given}`], env);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    await expectOneBackup(join(folder, given));
  });

  test('takes a name that ends with .lkb.gz for a file, unless there is such a folder', async () => {
    const file = join(folder, 'deep', 'today.lkb.gz');
    expect(await runProgram('backup.ts', [file], env)).toMatchObject({ code: 0, stderr: '' });
    expect((await readBackup(file)).foot.rows).toBeGreaterThan(10);
    expect(await readdir(join(folder, 'deep'))).toEqual(['today.lkb.gz']);
    const named = join(folder, 'odd.lkb.gz');
    await mkdir(named);
    expect(await runProgram('backup.ts', [named], env)).toMatchObject({ code: 0 });
    await expectOneBackup(named);
  });

  test('goes to BACKUP_DIR where no folder is named', async () => {
    const dir = join(folder, 'of the settings');
    const outcome = await runProgram('backup.ts', [], { ...env, BACKUP_DIR: dir });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    await expectOneBackup(dir);
  });

  test('refuses a file that is no folder, and two names, and changes nothing', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    expect(await runProgram('backup.ts', [file], env)).toMatchObject({
      code: 1,
      stderr: `${file} is a file: give a folder, or a new file whose name ends with .lkb.gz\n`,
    });
    const below = await runProgram('backup.ts', [join(file, 'below')], env);
    expect(below.code).toBe(1);
    expect(below.stderr).toMatch(/^[^\n]*ENOTDIR[^\n]*\n$/);
    expect(below.stderr).toContain(file);
    const two = await runProgram('backup.ts', [folder, file], env);
    expect(two).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The arguments are invalid\. Usage: npm run backup .*\n$/),
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('two at once to one name make one backup, and the other is refused', async () => {
    const file = join(folder, 'one.lkb.gz');
    const both = await Promise.all([1, 2].map(() => runProgram('backup.ts', [file], env)));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr)).toContain(
      `${file} already exists and was not changed\n`,
    );
    expect((await readBackup(file)).foot.rows).toBeGreaterThan(10);
    expect(await readdir(folder)).toEqual(['one.lkb.gz']);
  });

  test('leaves nothing behind when it is interrupted', async () => {
    // The backup waits without end, because the panel does not reply.
    let part: string[] = [];
    const outcome = await runProgram('backup.ts', [folder], env, async (child) => {
      while (part.length === 0 && child.exitCode === null) {
        await new Promise((done) => setTimeout(done, 2));
        part = (await readdir(folder)).filter((name) => name.endsWith('.part'));
      }
      child.kill('SIGTERM');
    });
    expect(part).toHaveLength(1);
    const left = await readdir(folder);
    // The command may have finished before it was ended.
    if (outcome.code === 0) return expect(left).toEqual([expect.stringMatching(NAME)]);
    expect(outcome).toMatchObject({ code: 143, stderr: '' });
    expect(left).toEqual([]);
  });

  test('ends quietly, and is made, where nobody reads what it says', async () => {
    const command = `"$NODE" scripts/run.mjs backup "${folder}/quiet" | true`;
    expect(await runShell(command, env)).toEqual({ code: 0, stdout: '', stderr: '' });
    await expectOneBackup(join(folder, 'quiet'));
    const first = await runShell(`"$NODE" scripts/run.mjs backup "${folder}/one" | head -1`, env);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(join(folder, 'one'));
  });
});

describe('a command’s settings', () => {
  test('are those of the file that is named, in either way', async () => {
    const file = join(folder, 'linekeeper.env');
    const lines = [...Object.entries(env), ['BACKUP_DIR', join(folder, 'made')]];
    await writeFile(file, lines.map(([name, value]) => `${name}="${value}"\n`).join(''));
    const verify = '"$NODE" scripts/run.mjs verify';
    expect(await runShell(`${verify} --settings="${file}"`, {})).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('every seal is intact'),
    });
    const named = { LINEKEEPER_SETTINGS: file };
    expect(await runShell('"$NODE" scripts/run.mjs backup', named)).toMatchObject({
      code: 0,
      stderr: '',
    });
    await expectOneBackup(join(folder, 'made'));
  });

  test('are never others than those of the file', async () => {
    const file = join(folder, 'none.env');
    const command = '"$NODE" scripts/run.mjs verify';
    expect(await runShell(command, { LINEKEEPER_SETTINGS: file })).toEqual({
      code: 1,
      stdout: '',
      stderr: `There are no settings in ${file}.\n`,
    });
    expect(await runShell(command, { LINEKEEPER_SETTINGS: folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Settings are read from a file, but ${folder} is a folder.\n`,
    });
    await writeFile(file, 'DATA_DIR=/nowhere\n');
    expect(await runShell(command, { LINEKEEPER_SETTINGS: file })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere'),
    });
    await chmod(file, 0);
    const unreadable = await runShell(command, { LINEKEEPER_SETTINGS: file });
    // Root can read every file.
    if (process.getuid?.() !== 0)
      expect(unreadable.stderr).toContain('is not allowed to read the settings');
  });
});
