import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, startTestAgent, temporaryFolder } from './testing.ts';

const CCCAM = 'F: a pw-a 2 1 1 { 0:0:1 } # paid\nF: b pw-b\nF: b pw-b\n#F: c pw-c\nF: d pw\u00e4\n';
const OSCAM =
  '# mine\n[account]\nuser = a\npwd = pw-a\ngroup = 4,5\n\n[account]\nuser = e\npwd = pw-e\ndisabled = 1 # owes May\n' +
  '\n[account]\nuser = f\npwd = pw-f\nexpdate = 2027-01-01\nservices = hd\n\n[account]\nuser = g\npwd = other\n';

const day = '31-12-2099';
const account = (username: string, password = `pw-${username}`) => ({
  username,
  password,
  expiryDate: day,
});

test('rows that equal the accounts become the agent’s, with all else that they say', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), Buffer.from(CCCAM, 'latin1'));
  writeFileSync(join(dir, 'oscam.user'), OSCAM);
  const agent = await startTestAgent({ dir, oscamGroup: '2', cccamOptions: '1 0 1' });
  const about = await agent.call('GET', '/');
  expect(about.body).toMatchObject({
    ...{ accounts: 0, by_hand: 8, grants: 'group 2; F options 1 0 1' },
    names_by_hand: ['a', 'b', 'd', 'e', 'f', 'g'],
  });
  await agent.add('own');
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'none', 'own'];
  const answer = await agent.call('POST', '/take-over', {
    accounts: names.map((name) => account(name, name === 'd' ? 'pwä' : undefined)),
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      message: 'Rows taken over',
      applied: false,
      taken: ['a', 'd', 'f', 'own'],
      refused: [
        { username: 'b', reason: 'twice' },
        { username: 'c', reason: 'switched_off' },
        { username: 'e', reason: 'switched_off' },
        { username: 'g', reason: 'password_differs' },
        { username: 'none', reason: 'no_row' },
      ],
    },
  ]);
  expect(agent.read('CCcam.cfg').toString('latin1').startsWith(CCCAM)).toBe(true);
  // In the other file the rows are new, so they get the usual settings of new rows.
  expect(agent.text('CCcam.cfg')).toMatch(/\nF: f pw-f 1 0 1\nF: own pw 1 0 1\n/);
  expect(
    agent
      .text('oscam.user')
      .startsWith(
        OSCAM.replace('2027-01-01', '2099-12-31').replace(
          'pwd = pw-a\n',
          'pwd = pw-a\nexpdate = 2099-12-31\n',
        ),
      ),
  ).toBe(true);
  expect((await agent.call('GET', '/')).body).toMatchObject({ accounts: 4, by_hand: 4 });

  await agent.edit({ username: 'a', newPassword: 'new' });
  expect(agent.text('CCcam.cfg')).toContain('F: a new 2 1 1 { 0:0:1 } # paid\n');
  expect(agent.text('oscam.user')).toContain(
    'user = a\npwd = new\nexpdate = 2099-12-31\ngroup = 4,5\n',
  );
  // The line is suspended and resumed.
  await agent.remove('a');
  expect(agent.text('CCcam.cfg') + agent.text('oscam.user')).not.toContain('pw-a');
  await agent.add('a', 'new');
  expect(agent.text('CCcam.cfg')).toContain('F: a new 2 1 1 { 0:0:1 } # paid\n');
  expect(agent.text('oscam.user')).toContain('group = 4,5\n');
});

test('an old text of a file put over the new one brings no deleted line and no old password back', async () => {
  const said: string[] = [];
  const log = ({ message }: { message?: unknown }) => said.push(String(message));
  const agent = await startTestAgent({ checkEveryMs: 10, log });
  const files = ['CCcam.cfg', 'oscam.user'];
  const [first, second] = [await agent.add('bob'), await agent.add('eva')];
  expect([first.status, second.status]).toEqual([201, 201]);
  const before = files.map((file) => [join(agent.dir, file), agent.text(file)] as const);
  await agent.remove('bob');
  await agent.edit({ username: 'eva', newPassword: 'new' });
  const after = files.map((file) => agent.text(file));
  for (const [path, text] of before) writeFileSync(path, text);
  await eventually(() => expect(files.map((file) => agent.text(file))).toEqual(after));
  expect((await agent.call('GET', '/')).body).toMatchObject({ accounts: 1, by_hand: 0 });
  const ending = 'rows of deleted or suspended lines were removed again: bob';
  for (const file of files) {
    expect(said).toContain(`${file} was replaced by an older version, and ${ending}`);
  }

  // A row with another password belongs to a customer of the operator's.
  appendFileSync(join(agent.dir, 'CCcam.cfg'), 'F: bob mine\n');
  const answer = await agent.add('bob');
  expect([answer.status, answer.body.code]).toEqual([409, 'KEPT_BY_HAND']);
  expect(agent.text('CCcam.cfg')).toContain('F: bob mine\n');
});

test('a request that is no list of accounts is refused', async () => {
  const agent = await startTestAgent();
  const tooMany = Array.from({ length: 301 }, () => account('a'));
  const wrong = [
    undefined,
    'a',
    tooMany,
    [null],
    ['a'],
    [{ username: 'a' }],
    [account('a b', 'pw')],
  ];
  for (const accounts of wrong) {
    const answer = await agent.call('POST', '/take-over', { accounts });
    expect([accounts, answer.status]).toEqual([accounts, 400]);
  }
});

test('rows of suspended accounts may be switched off: they go, and come back as they were', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'oscam.user'), OSCAM);
  const agent = await startTestAgent({ dir });
  const suspended = [account('e'), account('f'), account('g')].map((one) => ({
    ...one,
    suspended: true,
  }));
  const answer = await agent.call('POST', '/take-over', { accounts: suspended });
  expect(answer.body).toMatchObject({
    taken: ['e', 'f'],
    refused: [{ username: 'g', reason: 'password_differs' }],
  });
  expect(agent.text('oscam.user')).not.toMatch(/user = [ef]\n/);
  expect(agent.text('oscam.user')).toContain('user = g\npwd = other\n');
  // The panel resumes the line.
  expect((await agent.call('POST', '/add-user', account('f'))).status).toBe(201);
  expect(agent.text('oscam.user')).toMatch(
    /user = f\npwd = pw-f\nexpdate = 2099-12-31\nservices = hd\n/,
  );
});

test('rows of accounts that were deleted or got a new password since count as what they were', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), Buffer.from(CCCAM, 'latin1'));
  writeFileSync(join(dir, 'oscam.user'), OSCAM);
  const agent = await startTestAgent({ dir });
  const accounts = [
    { ...account('a', 'new'), before: 'pw-a' },
    { ...account('e'), deleted: true },
    { ...account('f'), deleted: true },
    { ...account('g', 'new'), before: 'pw-g' },
    { ...account('none'), deleted: true },
  ];
  const answer = await agent.call('POST', '/take-over', { accounts });
  expect(answer.body).toMatchObject({
    taken: ['a', 'e', 'f', 'none'],
    refused: [{ username: 'g', reason: 'password_differs' }],
  });
  expect(agent.text('CCcam.cfg')).toContain('F: a new 2 1 1 { 0:0:1 } # paid\n');
  expect(agent.text('oscam.user')).toContain(
    'user = a\npwd = new\nexpdate = 2099-12-31\ngroup = 4,5\n',
  );
  expect(agent.text('oscam.user')).not.toMatch(/user = [ef]\n/);
  expect(agent.text('oscam.user')).toContain('user = g\npwd = other\n');
  // A row with the line's old password does not count as the operator's either, even if it returns.
  await agent.remove('a');
  appendFileSync(join(dir, 'CCcam.cfg'), 'F: a pw-a 2 1 1 { 0:0:1 }\nF: f pw-f\n');
  await agent.add('own');
  expect(agent.text('CCcam.cfg')).not.toMatch(/^F: [af] /m);
});

const NAMES_LATIN_1 =
  '[account]\nuser = j\xfcrgen\npwd = pw-\xfc\ngroup = 4\n\n[account]\nuser = \xb3ukasz\npwd = pw\ngroup = 3\n';

test('in a file that is not UTF-8 a name outside ASCII is one name, and its bytes stay', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'oscam.user');
  const put = (text: string) => writeFileSync(file, Buffer.from(text, 'latin1'));
  put(NAMES_LATIN_1);
  const agent = await startTestAgent({ dir, checkEveryMs: 10 });
  const read = () => agent.read('oscam.user').toString('latin1');
  const names = ['jürgen', 'łukasz'];
  for (const name of names) {
    const refused = await agent.add(name, 'other');
    expect([name, refused.body.code]).toEqual([name, 'KEPT_BY_HAND']);
  }
  const accounts = [account('jürgen', 'pw-ü'), account('łukasz', 'pw')];
  const answer = await agent.call('POST', '/take-over', { accounts });
  expect(answer.body).toMatchObject({ taken: names, refused: [] });
  const taken = NAMES_LATIN_1.replaceAll('\ngroup', '\nexpdate = 2099-12-31\ngroup');
  expect(read()).toBe(taken);
  expect((await agent.call('GET', '/')).body).toMatchObject({ accounts: 2, by_hand: 0 });
  await agent.edit({ username: 'jürgen', newExpiryDate: '01-02-2098' });
  expect(read()).toContain('user = j\xfcrgen\npwd = pw-\xfc\nexpdate = 2098-02-01\n');

  for (const name of names) expect((await agent.remove(name)).status).toBe(200);
  expect(read()).not.toMatch(/user/);
  put(taken);
  await eventually(() => expect(read()).not.toMatch(/user/));

  // A receiver sends the old bytes after a line was resumed, and after a line that had ended was renewed.
  await agent.add('jürgen', 'pw-ü');
  await agent.add('łukasz', 'pw');
  await agent.edit({ username: 'łukasz', newPassword: 'ł-new' });
  await agent.add('ümit', 'pw');
  expect(read()).toContain('user = j\xfcrgen\npwd = pw-\xfc\n');
  expect(read()).toContain('user = \xb3ukasz\npwd = \xb3-new\n');
  expect(read()).toContain('user = \xc3\xbcmit\n');
  expect((await agent.call('GET', '/')).body).toMatchObject({ accounts: 3, by_hand: 0 });
});

test('a name that clients cannot tell from one of the operator’s is refused', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), 'F: a-name-of-twentytwo-by pw\n');
  const agent = await startTestAgent({ dir });
  for (const name of ['a-name-of-twentytwo-', 'a-name-of-twentytwo-bytes']) {
    const { status, body } = await agent.add(name);
    const refused = [409, 'SHARED_BY_HAND', { file: 'CCcam.cfg' }];
    expect([status, body.code, body.data]).toEqual(refused);
  }
  expect((await agent.add('a-name-of-twentytwo')).status).toBe(201);
  expect((await agent.add('a-name-of-twentythree')).status).toBe(201);
});

test('more names than a panel reads are not told', async () => {
  const dir = temporaryFolder();
  const rows = Array.from({ length: 4000 }, (_, row) => `F: by-hand-${row} pw\n`);
  writeFileSync(join(dir, 'CCcam.cfg'), rows.join(''));
  const agent = await startTestAgent({ dir });
  const { body } = await agent.call('GET', '/');
  expect(body).toMatchObject({ by_hand: 4000, names_by_hand: null });
});
