import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startTestAgent, temporaryFolder } from './testing.ts';

const row = (user: string, pwd: string, rest = 'group = 3\n') =>
  `[account]\nuser = ${user}\npwd = ${pwd}\nexpdate = 2099-12-31\n${rest}\n`;
const account = (line: string, username: string, password: string) => ({
  ...{ line, username, password },
  expiryDate: '31-12-2099',
});

/** Names and passwords of lines, each with the bytes that the operator wrote for it. */
const LINES = [
  [account('1', 'lp01', 'paßwort'), 'lp01', 'pa\xdfwort'],
  [account('2', 'lp02', 'pw-02'), 'lp02', 'pw-02'],
  [account('3', 'müller', 'pw-ß'), 'm\xfcller', 'pw-\xdf'],
  [account('4', 'both', 'grün'), 'both', 'gr\xc3\xbcn'],
  [account('5', 'jürgen', 'grün'), 'j\xfcrgen', 'gr\xc3\xbcn'],
  [account('6', 'ümit', 'grün'), '\xc3\xbcmit', 'gr\xfcn'],
  [account('7', 'lp07', 'łąka'), 'lp07', '\xb3\xb9ka'],
] as const;

async function startOn(oscam: string, cccam = '') {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'oscam.user'), Buffer.from(oscam, 'latin1'));
  writeFileSync(join(dir, 'CCcam.cfg'), Buffer.from(cccam, 'latin1'));
  const agent = await startTestAgent({ dir });
  const post = async (path: string, body: object) => {
    const { status } = await agent.call('POST', path, body);
    expect([path, status]).toEqual([path, path === '/add-user' ? 201 : 200]);
  };
  const read = (file = 'oscam.user') => agent.read(file).toString('latin1');
  return { ...agent, post, read };
}

test('name and password keep their bytes through take-over, suspension, renewal and another name', async () => {
  const note = 'description = a\xf1o 2027\n';
  const written = LINES.map(([, user, pwd]) => row(user, pwd, note));
  const agent = await startOn(written.join(''));
  const accounts = LINES.map(([one]) => one);
  await agent.post('/take-over', { accounts });
  expect(agent.read()).toBe(written.join(''));

  for (const { username } of accounts) expect((await agent.remove(username)).status).toBe(200);
  expect(agent.read()).not.toContain('user = ');
  for (const one of accounts) await agent.post('/add-user', one);
  for (const [, user, pwd] of LINES) {
    expect(agent.read()).toContain(`user = ${user}\npwd = ${pwd}\nexpdate = 2099-12-31\n${note}`);
  }
  for (const { username } of accounts) {
    await agent.edit({ username, newExpiryDate: '01-02-2098' });
  }
  for (const [, user, pwd] of LINES) {
    expect(agent.read()).toContain(`user = ${user}\npwd = ${pwd}\nexpdate = 2098-02-01\n`);
  }

  for (const { username, ...one } of accounts) {
    await agent.remove(username);
    await agent.post('/add-user', { ...one, username: `new-${one.line}`, formerly: username });
  }
  for (const [{ line }, , pwd] of LINES) {
    expect(agent.read()).toContain(`user = new-${line}\npwd = ${pwd}\n`);
  }
});

test('a new password has the encoding of the one before, and each file its own', async () => {
  const agent = await startOn(row('lp01', 'pa\xdfwort'), 'F: lp01 pa\xc3\x9fwort 1 0 1\n');
  await agent.post('/take-over', { accounts: [account('1', 'lp01', 'paßwort')] });
  await agent.remove('lp01');
  await agent.post('/add-user', account('1', 'lp01', 'paßwort'));
  expect(agent.read()).toContain('pwd = pa\xdfwort\n');
  expect(agent.read('CCcam.cfg')).toContain('F: lp01 pa\xc3\x9fwort 1 0 1\n');
  await agent.edit({ username: 'lp01', newPassword: 'grün' });
  expect(agent.read()).toContain('pwd = gr\xfcn\n');
  expect(agent.read('CCcam.cfg')).toContain('F: lp01 gr\xc3\xbcn 1 0 1\n');
});

test('another customer with the name gets bytes of UTF-8', async () => {
  const agent = await startOn(row('lp01', 'pa\xdfwort'));
  await agent.post('/take-over', { accounts: [account('1', 'lp01', 'paßwort')] });
  await agent.remove('lp01');
  await agent.post('/add-user', account('2', 'lp01', 'größer'));
  expect(agent.read()).toContain('pwd = gr\xc3\xb6\xc3\x9fer\n');
});

test('encodings that version 1.4 kept of names still count', async () => {
  const dir = temporaryFolder();
  const first = await startTestAgent({ dir });
  await first.call('POST', '/add-user', account('1', 'müller', 'pw-ß'));
  await first.remove('müller');
  await first.close();
  const db = new DatabaseSync(join(dir, 'agent.db'));
  db.exec("DELETE FROM spellings; INSERT INTO encodings VALUES ('müller', 'windows-1252')");
  db.close();
  const agent = await startTestAgent({ dir });
  await agent.call('POST', '/add-user', account('1', 'müller', 'pw-ß'));
  const text = agent.read('oscam.user').toString('latin1');
  expect(text).toContain('user = m\xfcller\npwd = pw-\xdf\n');
});
