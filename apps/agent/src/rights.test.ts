import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually, startTestAgent, temporaryFolder } from './testing.ts';

/** Settings of an account: two values of each, and the value of a row that a line does not have. */
const SETTINGS = [
  ['group', '1,2', '3', '1'],
  ['services', 'news,!sky de', 'film', ''],
  ['caid', '0500,0600&FF00,0100:0D00', '0D00', ''],
  ['ident', '0500:030B00,041950;0100:000080', '0D00:000004', ''],
  ['uniq', '3', '1', '0'],
  ['max_connections', '2', '5', '1'],
  ['cccmaxhops', '2', '1', '10'],
  ['cccreshare', '0', '2', '-1'],
] as const;
const ONE = Object.fromEntries(SETTINGS.map(([key, one]) => [key, one]));
const UNSAID = Object.fromEntries(SETTINGS.map(([key]) => [key, null]));
const OWN_ROW =
  '# of the operator\n[account]\nuser = op\npwd = op-pw\ngroup = 7\nservices = film\n';
const OWN_LINE = 'F: op op-pw 9 # mine\n';
const OPTIONS = '2 1 0 { 0100:000080:1 }';

type Rights = { oscam?: object; cccam?: string | null };

/** Starts an agent with rows of the operator's in both files, and with a line, `bob`. */
async function startWithLine(options: Parameters<typeof startTestAgent>[0] = {}) {
  const dir = options.dir ?? temporaryFolder();
  writeFileSync(join(dir, 'oscam.user'), OWN_ROW);
  writeFileSync(join(dir, 'CCcam.cfg'), OWN_LINE);
  const agent = await startTestAgent({ dir, cccamOptions: '1 0 1', checkEveryMs: 20, ...options });
  const line = { line: 'line-of-bob', password: 'pw', expiryDate: '31-12-2099' };
  await agent.call('POST', '/add-user', { username: 'bob', ...line });
  const of = (file: string) => agent.read(file).toString('latin1');
  return {
    ...agent,
    dir,
    line,
    files: () => of('oscam.user') + of('CCcam.cfg'),
    push: (rights: Rights, more: object = {}) =>
      agent.edit({ username: 'bob', line: line.line, newPassword: 'pw', rights, ...more }),
    resume: (rights?: Rights, more: object = {}) =>
      agent.call('POST', '/add-user', { username: 'bob', ...line, rights, ...more }),
    account: (name = 'bob') => readAccounts(of('oscam.user')).find(({ user }) => user === name),
    friend: (name = 'bob') => new RegExp(`^F: ${name} .*$`, 'm').exec(of('CCcam.cfg'))?.[0],
  };
}

test('what a plan says is written into the row, in the same bytes each time', async () => {
  const { push, text, files } = await startWithLine();
  const before = files();
  expect((await push({ oscam: ONE, cccam: OPTIONS })).body).toMatchObject({ rights: true });
  const block = [
    '[account]',
    'user = bob',
    'pwd = pw',
    'services = news,!sky de',
    'caid = 0500,0600&FF00,0100:0D00',
    'ident = 0500:030B00,041950;0100:000080',
    'uniq = 3',
    'max_connections = 2',
    'cccmaxhops = 2',
    'cccreshare = 0',
    'expdate = 2099-12-31',
    'group = 1,2',
    '# END linekeeper',
  ].join('\n');
  expect(text('oscam.user')).toContain(block);
  expect(text('oscam.user').startsWith(OWN_ROW)).toBe(true);
  expect(text('CCcam.cfg')).toContain(`\nF: bob pw ${OPTIONS}\n`);
  expect(text('CCcam.cfg').startsWith(OWN_LINE)).toBe(true);
  await push({ oscam: UNSAID, cccam: null });
  expect(files()).toBe(before);
});

describe.each(SETTINGS)('%s', (key, one, other, usual) => {
  test('set, changed, changed back and no longer said', async () => {
    const { dir, push, files, account, read } = await startWithLine();
    const path = join(dir, 'oscam.user');
    const lines = 'description = mine\nkeepalive=1\n# END';
    writeFileSync(path, read('oscam.user').toString('latin1').replace('# END', lines));
    await push({});
    const before = files();
    await push({ oscam: { [key]: one } });
    expect(account()).toMatchObject({ [key]: one, description: 'mine', keepalive: '1' });
    const first = files();
    await push({ oscam: { [key]: other } });
    expect(account()?.[key]).toBe(other);
    await push({ oscam: { [key]: one } });
    expect(files()).toBe(first);
    await push({ oscam: { [key]: null } });
    expect(account()?.[key]).toBe(usual);
    expect(files()).toBe(before);
    // The default is written only once, so a later value from the operator stays.
    writeFileSync(
      path,
      `${before.split('# BEGIN')[0]}[account]\nuser = bob\npwd = pw\n${key} = ${other}\n`,
    );
    await push({}, { newExpiryDate: '30-12-2099' });
    expect(account()).toMatchObject({ [key]: other, expdate: '2099-12-30' });
  });

  test('kept after saves of OSCam, an operator’s change, a pause and a new name', async () => {
    const dir = temporaryFolder();
    const services = '[news]\n[sky de]\n[film]\n';
    const file = join(dir, 'oscam.user');
    writeFileSync(file, OWN_ROW);
    const oscam = await startOscam({ file, services });
    onTestFinished(() => oscam.kill());
    const reload = {
      webif: { url: new URL(oscam.url), user: '', password: '', fingerprint: undefined },
    };
    const agent = await startWithLine({ dir, reload });
    const { push, account, read, resume } = agent;
    expect((await push({ oscam: { [key]: one } })).body).toMatchObject({ applied: true });
    const inMemory = (name = 'bob') => oscam.accounts().find(({ user }) => user === name);
    // A change counts as loaded once OSCam has it.
    expect(inMemory()?.[key]).toBe(one);
    await oscam.edit('op', { services: 'film' });
    const saved = read('oscam.user');
    await push({ oscam: { [key]: other } });
    await push({ oscam: { [key]: one } });
    expect(read('oscam.user')).toEqual(saved);
    await oscam.edit('bob', { [key]: other, keepalive: '1' });
    await eventually(() => expect(inMemory()).toMatchObject({ [key]: one, keepalive: '1' }));

    await agent.remove('bob');
    await resume({ oscam: { [key]: other } });
    expect(account()).toMatchObject({ [key]: other, keepalive: '1' });
    await agent.remove('bob');
    await resume();
    expect(account()).toMatchObject({ [key]: usual, keepalive: '1' });
    await push({ oscam: { [key]: one } });
    await resume({ oscam: {} }, { username: 'bobby' });
    await agent.remove('bob');
    expect(account('bobby')).toMatchObject({ [key]: usual, keepalive: '1' });
    await agent.remove('bobby');
    await resume(
      { oscam: { [key]: other } },
      { username: 'bobby', line: 'of another', password: 'new' },
    );
    expect(account('bobby')).toMatchObject({ [key]: other, keepalive: '0' });
  });
});

test('options of an F line are set, changed, changed back and taken away', async () => {
  const agent = await startWithLine();
  const { push, files, friend, resume, dir } = agent;
  const before = files();
  await push({ cccam: OPTIONS });
  const first = files();
  await push({ cccam: '0 0 0' });
  expect(friend()).toBe('F: bob pw 0 0 0');
  await push({ cccam: OPTIONS });
  expect(files()).toBe(first);
  await push({ cccam: null });
  expect(files()).toBe(before);

  // The operator's change of the options lasts until the agent's next look at the file. The operator's note stays.
  await push({ cccam: OPTIONS });
  const path = join(dir, 'CCcam.cfg');
  const noted = (text: string) =>
    writeFileSync(path, readFileSync(path, 'latin1').replace(/^F: bob .*$/m, `F: bob pw ${text}`));
  noted('5 1 1 # paid in cash');
  await eventually(() => expect(friend()).toBe(`F: bob pw ${OPTIONS} # paid in cash`));
  await agent.remove('bob');
  await resume({ cccam: '3 0 0' });
  expect(friend()).toBe('F: bob pw 3 0 0 # paid in cash');
  await resume({ cccam: '4 0 0' }, { username: 'bobby' });
  await agent.remove('bob');
  expect(friend('bobby')).toBe('F: bobby pw 4 0 0 # paid in cash');
  await agent.remove('bobby');
  await resume({}, { username: 'bobby' });
  expect(friend('bobby')).toBe('F: bobby pw 1 0 1 # paid in cash');
  // Without a plan, the operator decides about the options, as before.
  noted('5 1 1');
  await agent.remove('bobby');
  await resume();
  noted('5 1 1');
  await agent.edit({ username: 'bob', newPassword: 'new' });
  expect(friend()).toBe('F: bob new 5 1 1');
});

test('settings survive a restart, and a database of an older agent gets its column', async () => {
  const first = await startWithLine();
  await first.push({ oscam: ONE, cccam: OPTIONS });
  const written = first.files();
  await first.close();
  const own = first.text('oscam.user').replace('group = 1,2', 'group = 9');
  writeFileSync(join(first.dir, 'oscam.user'), own);
  const second = await startTestAgent({ dir: first.dir, cccamOptions: '7', oscamGroup: '5' });
  expect(second.text('oscam.user') + second.text('CCcam.cfg')).toBe(written);
  await second.close();

  const db = new DatabaseSync(join(first.dir, 'agent.db'));
  db.exec('ALTER TABLE rows DROP COLUMN rights');
  db.close();
  const third = await startTestAgent({ dir: first.dir });
  await third.edit({ username: 'bob', newPassword: 'pw', rights: { oscam: { group: '3' } } });
  expect(third.text('oscam.user')).toContain('group = 3\n');
});

test('rows that are taken over get what the plan says, and keep the rest', async () => {
  const agent = await startWithLine();
  const op = { username: 'op', password: 'op-pw', expiryDate: '31-12-2099', line: 'line-of-op' };
  const rights = { oscam: { group: '2' }, cccam: '1 1 1' };
  const { body } = await agent.call('POST', '/take-over', { accounts: [{ ...op, rights }] });
  expect(body).toMatchObject({ taken: ['op'], rights: true });
  expect(agent.account('op')).toMatchObject({ group: '2', services: 'film' });
  expect(agent.friend('op')).toBe('F: op op-pw 1 1 1 # mine');
});

test('rights that a plan may not have are refused, and nothing changes', async () => {
  const { push, resume, files } = await startWithLine();
  const before = files();
  const wrong: [unknown, string][] = [
    [{ oscam: { group: '65' } }, 'rights.oscam.group is not a valid setting of a plan'],
    [{ oscam: { group: 1 } }, 'rights.oscam.group is not a valid setting of a plan'],
    [{ oscam: { caid: '0500\nuniq = 1' } }, 'rights.oscam.caid is not a valid setting of a plan'],
    [{ oscam: { pwd: 'x' } }, 'rights.oscam.pwd is unknown'],
    [{ oscam: [] }, 'rights.oscam must be an object'],
    [{ cccam: '1' }, 'rights.cccam is not a valid setting of a plan'],
    [{ cccam: '1 0 1\nF: a b' }, 'rights.cccam is not a valid setting of a plan'],
    [{ newcamd: null }, 'rights.newcamd is unknown'],
    [null, 'rights must be an object'],
  ];
  for (const [rights, message] of wrong) {
    for (const call of [push, resume]) {
      const { status, body } = await call(rights as Rights);
      expect([rights, status, body.message]).toEqual([rights, 400, message]);
    }
  }
  expect(files()).toBe(before);
});

test('groups and services are listed by OSCam’s web interface, or from its files', async () => {
  const agent = await startWithLine();
  const list = async () => {
    const { message, ...choices } = (await agent.call('GET', '/rights-choices')).body;
    return choices;
  };
  expect(await list()).toEqual({ groups: null, services: null });
  const readers = [
    'group = 2,1\npassword = hush',
    'group = 2',
    'group=12\nenable = 0',
    'label = x',
  ];
  const text = readers.map((lines) => `[reader]\n${lines}\n`).join('\n');
  writeFileSync(join(agent.dir, 'oscam.server'), text);
  writeFileSync(join(agent.dir, 'oscam.services'), '[News]\ncaid = 0500\n\n[sky de]\n');
  const groups = [
    { group: 1, readers: 1 },
    { group: 2, readers: 2 },
    { group: 12, readers: 0 },
  ];
  expect(await list()).toEqual({ groups, services: ['news', 'sky de'] });

  const dir = temporaryFolder();
  const oscam = await startOscam({ file: join(dir, 'x'), readers: text, services: '[film]\n' });
  onTestFinished(() => oscam.kill());
  const reload = {
    webif: { url: new URL(oscam.url), user: '', password: '', fingerprint: undefined },
  };
  const other = await startTestAgent({ reload });
  const { body } = await other.call('GET', '/rights-choices');
  expect(body).toEqual({ message: 'OK', groups, services: ['film'] });
});
