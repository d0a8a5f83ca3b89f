// @module-tag thorough
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../../..', import.meta.url));
const PANEL = 'apps/server/src/commands/main.ts';
const SECRET_KEY = 'a secret key of the tests, long enough';
const AWAY = { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/gone', SECRET_KEY };
/** Root may do everything that these tests expect to be forbidden. */
const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
const inside = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-errors-'));
  chmodSync(folder, 0o755);
  mkdirSync(inside('read-only'));
  chmodSync(inside('read-only'), 0o555);
  writeFileSync(inside('file'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The only line that a program writes to stderr if it cannot start. */
function complaintOf(args: string[], env: Record<string, string> = {}): string {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: repository,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    ...NOBODY,
  });
  expect(status, stderr).toBe(1);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toContain('canary');
  return stderr.trimEnd();
}

describe('a panel names the setting or the path that keeps it from starting', () => {
  test('a folder that it may not write to', () => {
    const DATA_DIR = inside('read-only');
    expect(complaintOf([PANEL], { DATA_DIR })).toContain(
      `lock.db in ${DATA_DIR} (DATA_DIR) cannot be opened for writing`,
    );
  });

  test('a folder that cannot be made', () => {
    for (const DATA_DIR of [inside('read-only/below'), inside('file')]) {
      expect(complaintOf([PANEL], { DATA_DIR })).toContain(
        `The folder ${DATA_DIR} (DATA_DIR) cannot be created: E`,
      );
    }
  });

  test('an address that the machine does not have', () => {
    expect(complaintOf([PANEL], { ...AWAY, HOST: '192.0.2.1', PORT: '0' })).toMatch(
      /^HOST=192\.0\.2\.1: this machine does not have this address/,
    );
  });
});

const commands = ['migrate.ts', 'backup.ts', 'verify-ledger.ts', 'rotate-keys.ts'];
test.each(commands)('%s names a database that is not there', (program) => {
  // The command writes its files to a folder that exists and is writable.
  const open = inside(`for-${program}`);
  mkdirSync(open);
  chmodSync(open, 0o777);
  const args = program === 'migrate.ts' || program === 'verify-ledger.ts' ? [] : [`${open}/`];
  expect(complaintOf([`apps/server/src/commands/${program}`, ...args], AWAY)).toMatch(
    /^The database at 127\.0\.0\.1:1\/gone, which DATABASE_URL names, cannot be used: /,
  );
});

describe('a settings file with a value that not every program reads alike', () => {
  const programs = [PANEL, 'apps/server/src/commands/backup.ts', 'apps/agent/src/main.ts'];
  test.each(programs)('is refused by %s, which names the variable', (program) => {
    const file = inside('ambiguous.env');
    writeFileSync(file, "PORT=0\nSMTP_URL='smtp://u:p#w@h'\nADMIN_PASSWORD=canary#Secret\n");
    const complaint = complaintOf([`--env-file=${file}`, program]);
    expect(complaint).toContain(`${file}: ADMIN_PASSWORD would be read differently`);
    expect(complaint).not.toMatch(/\b(PORT|SMTP_URL)\b/);
  });
});

const OF_PANEL = 'ADMIN_PASWORD (did you mean ADMIN_PASSWORD?), Ports (did you mean PORT?)';
test.each([
  [PANEL, OF_PANEL],
  ['apps/server/src/commands/backup.ts', OF_PANEL],
  ['apps/agent/src/main.ts', 'AGENT_PASWORD (did you mean AGENT_PASSWORD?)'],
])('%s names settings that are misspelt, and goes on', (program, names) => {
  const file = inside('misspelt.env');
  const lines = ['ADMIN_PASWORD=canary', 'AGENT_PASWORD=canary', 'Ports=1', 'PANELS=2'];
  writeFileSync(file, lines.join('\n'));
  const { stdout, stderr } = spawnSync(process.execPath, [`--env-file=${file}`, program], {
    cwd: repository,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...AWAY, HOST: '192.0.2.1', PORT: '0' },
  });
  const said = `${stdout}${stderr}`;
  expect(said).toContain(`${file}: unknown and ignored: ${names}`);
  // The start continues as if the settings were missing.
  expect(stderr).toMatch(/HOST=192\.0\.2\.1|which DATABASE_URL names|Agent could not start/);
  expect(said).not.toContain('canary');
});
