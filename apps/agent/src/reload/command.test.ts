import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitCommand } from '../settings.ts';
import { startAgentBeside, startTestOscam } from '../testing/oscam/beside.ts';
import { eventually, temporaryFolder } from '../testing.ts';

/** Writes an executable shell script with these lines, in its own folder. */
function script(lines: string): { path: string; dir: string; log: () => string } {
  const dir = temporaryFolder();
  const path = join(dir, 'reread');
  writeFileSync(path, `#!/bin/sh\ncd '${dir}'\n${lines}\n`);
  chmodSync(path, 0o755);
  const log = join(dir, 'log');
  return { path, dir, log: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

function beside(command: string, options = {}) {
  const settings = { RELOAD_COMMAND: command };
  // The agent repeats its command after this time. Only the test of the repetition sets it lower,
  // because the others count runs.
  const commandAgainMs = 600_000;
  return startAgentBeside({ dir: temporaryFolder(), settings }, { commandAgainMs, ...options });
}

test('a command is split at blanks, quotes are honoured, and nothing else means anything', () => {
  expect(splitCommand('systemctl kill -s HUP oscam')).toEqual([
    'systemctl',
    'kill',
    '-s',
    'HUP',
    'oscam',
  ]);
  expect(splitCommand(`  a  "b c"\t'd "e'f"g'h"  "" $X;|&&* \\ `)).toEqual([
    'a',
    'b c',
    `d "efg'h`,
    '',
    '$X;|&&*',
    '\\',
  ]);
  expect(() => splitCommand('a "b')).toThrow('has a quote that is not closed');
  expect(() => splitCommand("a 'b")).toThrow('has a quote that is not closed');
});

test('the command runs at the start and after a change, without the settings of the agent', async () => {
  const { path, log } = script('echo "$1|$2|$OSCAM_WEBIF_PASSWORD" >> log');
  process.env.OSCAM_WEBIF_PASSWORD = 'geheim';
  const agent = await beside(`${path} 'a b' "$HOME;c"`);
  delete process.env.OSCAM_WEBIF_PASSWORD;
  await eventually(() => expect(log()).toBe('a b|$HOME;c|\n'));
  const added = await agent.add('anna');
  expect(added.body).toEqual({ message: 'User added successfully', applied: true });
  expect(log()).toBe('a b|$HOME;c|\n'.repeat(2));
  expect(await agent.reload()).toMatchObject({ by: 'command', ok: true, waiting: 0, server: null });
});

test('many changes are few runs, and never two at once', async () => {
  const { path, dir, log } = script(
    'mkdir lock || echo TWICE >> log; until [ -e go ]; do sleep 0.02; done; rmdir lock; echo run >> log',
  );
  writeFileSync(join(dir, 'go'), '');
  const agent = await beside(path, { replyMs: 1000 });
  await eventually(() => expect(log()).toBe('run\n'));
  rmSync(join(dir, 'go'));
  const first = agent.add('anna');
  await eventually(() => expect(existsSync(join(dir, 'lock'))).toBe(true));
  const others = Array.from({ length: 20 }, (_, index) => agent.add(`line-${index}`));
  const answers = await Promise.all([first, ...others]);
  expect(answers.map(({ body }) => body.applied)).toEqual(Array(21).fill(false));
  expect(await agent.reload()).toMatchObject({ waiting: 21 });
  writeFileSync(join(dir, 'go'), '');
  await eventually(async () => expect(await agent.reload()).toMatchObject({ waiting: 0 }));
  expect(log()).toBe('run\n'.repeat(3));
});

test('a command is run once more after a change, because a signal may be lost', async () => {
  const { path, log } = script('echo run >> log');
  const agent = await beside(path, { commandAgainMs: 50 });
  await eventually(() => expect(log()).toBe('run\n'.repeat(2)));
  await agent.add('anna');
  await eventually(() => expect(log()).toBe('run\n'.repeat(4)));
});

test('COMMAND_FAILED: its exit code is told, what it said is logged, and it is tried again', async () => {
  const { path, dir } = script('[ -e good ] || { echo "no bus" >&2; exit 3; }');
  const entries: unknown[] = [];
  const agent = await beside(path, { log: (entry: unknown) => entries.push(entry) });
  const added = await agent.add('anna');
  expect(added.body).toMatchObject({
    applied: false,
    message: expect.stringContaining('RELOAD_COMMAND failed (exit code 3)'),
  });
  expect(await agent.reload()).toMatchObject({
    ok: false,
    code: 'COMMAND_FAILED',
    data: { exit_code: 3, signal: null },
    waiting: 1,
    names: ['anna'],
  });
  expect(entries).toContainEqual({ level: 'warn', message: 'Output of RELOAD_COMMAND: no bus' });
  writeFileSync(join(dir, 'good'), '');
  await eventually(async () =>
    expect(await agent.reload()).toMatchObject({ ok: true, waiting: 0 }),
  );
});

test('COMMAND_FAILED: a signal is told', async () => {
  const { path } = script('kill -TERM $$');
  const agent = await beside(path);
  await eventually(async () => {
    const data = { exit_code: null, signal: 'SIGTERM' };
    expect(await agent.reload()).toMatchObject({ code: 'COMMAND_FAILED', data });
  });
});

test('COMMAND_TIMEOUT: it is stopped with all that it started', async () => {
  const { path, dir } = script('sleep 600 & echo $! > child; wait');
  const agent = await beside(path, { reloadMs: 2000, retriesMs: [600_000] });
  await eventually(async () => {
    const data = { seconds: 2 };
    expect(await agent.reload()).toMatchObject({ code: 'COMMAND_TIMEOUT', data });
  });
  const child = Number(readFileSync(join(dir, 'child'), 'utf8'));
  await eventually(() => {
    // A process that has ended stays in the process table until its parent has been notified.
    const stat = existsSync(`/proc/${child}/stat`)
      ? readFileSync(`/proc/${child}/stat`, 'utf8')
      : 'Z';
    expect(stat).toMatch(/Z/);
  });
});

test('COMMAND_NOT_FOUND: a program that is not there, or may not be run, is told', async () => {
  for (const command of ['no-such-program now', '/bin', '""']) {
    const agent = await beside(command);
    expect((await agent.add('anna')).body.applied).toBe(false);
    expect(await agent.reload()).toMatchObject({ code: 'COMMAND_NOT_FOUND', waiting: 1 });
  }
});

test('COMMAND_NOT_FOUND: a program that went is told', async () => {
  const { path } = script('exit 0');
  const agent = await beside(path);
  await eventually(async () => expect(await agent.reload()).toMatchObject({ ok: true }));
  rmSync(path);
  expect((await agent.add('anna')).body.applied).toBe(false);
  expect(await agent.reload()).toMatchObject({ code: 'COMMAND_NOT_FOUND', waiting: 1 });
});

test('the web interface comes first where both are set', async () => {
  const { path, log } = script('echo run >> log');
  const oscam = await startTestOscam();
  const entries: unknown[] = [];
  const settings = { ...oscam.settings, RELOAD_COMMAND: path };
  const agent = await startAgentBeside(
    { ...oscam, settings },
    { log: (entry) => entries.push(entry) },
  );
  expect((await agent.add('anna')).body.applied).toBe(true);
  expect([log(), oscam.names()]).toEqual(['', ['anna']]);
  expect(entries).toContainEqual({
    level: 'warn',
    message: 'RELOAD_COMMAND is not used, because OSCAM_WEBIF_URL is set',
  });
});
