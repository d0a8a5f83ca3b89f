import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLine, tryLogin } from '@linekeeper/oscam/cccam-login.ts';
import { startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './testing.ts';

async function oscamWith(text: string) {
  const file = join(temporaryFolder(), 'oscam.user');
  writeFileSync(file, text, 'latin1');
  const oscam = await startOscam({ file });
  onTestFinished(() => oscam.kill());
  const attempt = async (username: string, password: string) => {
    const line = { host: '127.0.0.1', port: oscam.ports.cccam, username, password };
    return (await tryLogin(line)).outcome;
  };
  return { oscam, attempt };
}

function account(user: string, pwd: string, more = ''): string {
  return `[account]\nuser = ${user}\npwd = ${pwd}\n${more}\n`;
}

test('a receiver gets in by the name and password of an account that is on', async () => {
  const off = account('off', 'pw', 'disabled = 1  # note');
  const over = account('over', 'pw', 'expdate = 2020-01-01');
  const { oscam, attempt } = await oscamWith(account('anna', 'secret') + off + over);
  expect(await attempt('anna', 'secret')).toBe('accepted');
  expect(await attempt('anna', 'Secret')).toBe('refused');
  expect(await attempt('nobody', 'secret')).toBe('refused');
  expect(await attempt('off', 'pw')).toBe('refused');
  // OSCam refuses an account that has ended only at its first request, not at the login.
  expect(await attempt('over', 'pw')).toBe('accepted');
  expect(oscam.accepts('anna', 'secret')).toBe(true);
  await oscam.kill();
  expect(await attempt('anna', 'secret')).toBe('unreachable');
});

test('of two names that share 20 bytes only the first gets in', async () => {
  const long = 'abcdefghijklmnopqrst';
  const { attempt } = await oscamWith(account(long, 'one') + account(`${long}u`, 'two'));
  expect(await attempt(long, 'one')).toBe('accepted');
  expect(await attempt(`${long}u`, 'one')).toBe('accepted');
  expect(await attempt(`${long}u`, 'two')).toBe('refused');
  const single = await oscamWith(account(`${long}u`, 'two'));
  expect(await single.attempt(`${long}u`, 'two')).toBe('accepted');
});

test('the command says what a server did as JSON, too', async () => {
  const { oscam } = await oscamWith(account('anna', 'secret'));
  const program = join(import.meta.dirname, 'try-line.ts');
  const tried = (...words: string[]) =>
    new Promise<{ code: number; said: unknown }>((resolve) => {
      const args = [program, ...words, '--json'];
      const child = execFile(process.execPath, args, (_, stdout) => {
        resolve({ code: child.exitCode ?? -1, said: JSON.parse(stdout) });
      });
    });
  const line = `C: 127.0.0.1 ${oscam.ports.cccam} anna`;
  expect(await tried(`${line} secret`)).toMatchObject({ code: 0, said: { outcome: 'accepted' } });
  expect(await tried(`${line} wrong`)).toMatchObject({ code: 1, said: { outcome: 'refused' } });
  expect(await tried('C: nobody')).toMatchObject({
    code: 2,
    said: { error: expect.stringContaining('C line') },
  });
});

test('a C line is read as receivers read it', () => {
  const line = { host: 'cs.example.org', port: 12_000, username: 'anna', password: 'a:b' };
  expect(readLine('C: cs.example.org 12000 anna a:b')).toEqual(line);
  expect(readLine('  c:cs.example.org\t12000  anna a:b no { 0:0:2 }')).toEqual(line);
  for (const text of [
    '',
    'C: host',
    'C: host port anna pw',
    'C: host 65536 anna pw',
    'C: h 1 anna',
  ]) {
    expect(readLine(text)).toBeUndefined();
  }
});
