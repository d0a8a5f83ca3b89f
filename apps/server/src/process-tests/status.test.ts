// @module-tag thorough
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { version } from '../platform/config/version.ts';
import { databases } from '../testing/panel.ts';
import { runProgram } from '../testing/process/command.ts';
import { FIRST_START, makeMigratedDatabase } from '../testing/process/process.ts';

describe.each(databases)('status and doctor on %s', (kind) => {
  let panel: Panel;
  let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
  let env: Record<string, string>;
  const run = async (command: string, more: Record<string, string> = {}) => {
    const { code, stdout } = await runProgram(`${command}.ts`, ['--json'], { ...env, ...more });
    return { code, ...JSON.parse(stdout) };
  };
  beforeAll(async () => {
    database = await makeMigratedDatabase(kind);
    const own = { ...database.env, HOST: '127.0.0.1' };
    const silent = pino({ level: 'silent' });
    panel = await startPanel({ ...own, ...FIRST_START, PORT: '0' }, silent);
    env = { ...own, PORT: new URL(panel.url).port };
  });
  afterAll(() => database?.remove());

  test('report a running panel', async () => {
    expect(await run('status')).toMatchObject({
      code: 0,
      running: true,
      ready: true,
      version,
      installed: version,
      database: kind === 'embedded' ? 'embedded' : 'postgresql',
      schema: expect.stringMatching(/^\d{4}_/),
      pushes_due: 0,
      servers_down: [],
      newer_version: null,
    });
    const { code, findings } = await run('doctor', { PUBLIC_URL: panel.url });
    expect(code).toBe(0);
    const texts = findings.map(({ text }: { text: string }) => text);
    expect(texts).toContain('The database responds');
    expect(texts).toContain(`${panel.url} leads to the panel`);
    const elsewhere = await run('doctor', { PUBLIC_URL: 'http://127.0.0.1:1' });
    expect(JSON.stringify(elsewhere.findings)).toContain('does not lead to the panel: ');
  });

  test('name wrong settings, and a panel that is stopped', async () => {
    const wrong = await run('doctor', { TIME_ZONE: 'Berlin' });
    expect(wrong).toMatchObject({ code: 1, ok: false });
    expect(JSON.stringify(wrong.findings)).toContain('TIME_ZONE: is not a time zone');
    await panel.close();
    expect(await run('status')).toMatchObject({ code: 1, running: false, version: null });
    const { code, findings } = await run('doctor');
    expect(code).toBe(1);
    expect(JSON.stringify(findings)).toContain('The panel does not respond');
  });
});
