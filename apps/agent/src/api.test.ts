import { expect, test } from 'vitest';
import { basic, call, startTestAgent } from './testing.ts';

const REQUIRED = 'Username and password are required';
const BAD_DATE = 'Invalid expiry date format. Expected DD-MM-YYYY format.';
const TAKEN = 'Username already exists. Please choose a different username.';
const NOTHING_TO_DO = 'At least one field to update (password or expiry date) is required';

test('health is open to everyone, the rest asks for a name and password', {
  tags: ['spec:7.37', 'spec:7.38'],
}, async () => {
  const { url, call: signedIn } = await startTestAgent();
  const health = await call(url, 'GET', '/health', undefined, '');
  expect([health.status, health.body]).toEqual([200, { status: 'ok', message: 'OK' }]);

  const root = await signedIn('GET', '/');
  expect(root.status).toBe(200);
  expect(root.body.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(root.body.message).toBeTypeOf('string');
  expect(root.body.instance).toBe((await signedIn('GET', '/')).body.instance);

  const refused = [
    ['GET', '/'],
    ['GET', '/users'],
    ['POST', '/show-users'],
    ['POST', '/add-user'],
    ['PUT', '/edit-user'],
    ['DELETE', '/delete-user'],
  ] as const;
  for (const [method, path] of refused) {
    const answer = await call(url, method, path, undefined, '');
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=.*charset="UTF-8"$/);
    expect(answer.body.message).toBe('Missing or wrong username or password');
  }
});

test('Basic auth accepts UTF-8 and colons in the password, and refuses wrong credentials', async () => {
  const { url } = await startTestAgent({ username: 'ключ', password: ':a:б: ' });
  const statusWith = async (header: string) =>
    (await call(url, 'GET', '/', undefined, header)).status;
  expect(await statusWith(basic('ключ', ':a:б: '))).toBe(200);
  expect(await statusWith(basic('ключ', ':a:б: ').replace('Basic', 'basic'))).toBe(200);
  const wrong = [
    basic('ключ', ':a:б:'),
    basic('ключ', 'a:б: '),
    basic('ключ', ''),
    basic('', ':a:б: '),
    basic('КЛЮЧ', ':a:б: '),
    `Basic ${Buffer.from('ключ').toString('base64')}`,
    'Basic ',
    'Basic %%%',
    basic('ключ', ':a:б: ').replace('Basic', 'Bearer'),
  ];
  for (const header of wrong) expect([header, await statusWith(header)]).toEqual([header, 401]);
});

test('an account is added, edited and deleted', {
  tags: ['spec:7.39', 'spec:7.40', 'spec:7.41', 'spec:7.42'],
}, async () => {
  const agent = await startTestAgent();
  const added = await agent.add('bob', 'secret', '31-12-2090');
  expect([added.status, added.body.message]).toEqual([201, 'User added successfully']);
  expect(agent.text('CCcam.cfg')).toContain('\nF: bob secret\n');
  expect(agent.text('oscam.user')).toContain(
    '\n[account]\nuser = bob\npwd = secret\nexpdate = 2090-12-31\ngroup = 1\n',
  );

  const edited = await agent.edit({ username: 'bob', newPassword: 'other' });
  expect([edited.status, edited.body.message]).toEqual([200, 'User updated successfully']);
  expect(agent.text('CCcam.cfg')).toContain('\nF: bob other\n');
  expect(agent.text('oscam.user')).toContain('expdate = 2090-12-31');
  expect((await agent.edit({ username: 'bob', newExpiryDate: '01-02-2091' })).status).toBe(200);
  expect(agent.text('oscam.user')).toContain('pwd = other\nexpdate = 2091-02-01\n');

  const deleted = await agent.remove('bob');
  expect([deleted.status, deleted.body.message]).toEqual([200, 'User deleted successfully']);
  expect(agent.text('CCcam.cfg') + agent.text('oscam.user')).not.toContain('bob');
  for (const answer of [
    await agent.remove('bob'),
    await agent.edit({ username: 'bob', newPassword: 'x' }),
    await agent.edit({ username: '\ud800', newPassword: 'x' }),
  ]) {
    expect([answer.status, answer.body.message]).toEqual([404, 'User not found']);
  }
  expect((await agent.add('bob')).status).toBe(201);
});

test('accounts are listed a page at a time, without their passwords', async () => {
  const agent = await startTestAgent();
  const names = Array.from({ length: 301 }, (_, index) => `user-${String(index).padStart(3, '0')}`);
  await Promise.all(names.map((name) => agent.add(name, 'never-told', '31-12-2090')));
  const first = await agent.call('GET', '/users');
  expect(first.status).toBe(200);
  expect(first.body.users).toHaveLength(300);
  expect(first.body.users?.[0]).toEqual({ username: 'user-000', expiryDate: '31-12-2090' });
  expect(first.body.next).toBe('user-299');
  const second = await agent.call('GET', '/users?after=user-299');
  expect([second.body.users, second.body.next]).toEqual([
    [{ username: 'user-300', expiryDate: '31-12-2090' }],
    null,
  ]);
  expect(JSON.stringify([first.body, second.body])).not.toContain('never-told');
});

test('a name is taken once, also in a race', async () => {
  const { add, text } = await startTestAgent();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => add('same', `pw${index}`)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(TAKEN);
  const winner = answers.findIndex(({ status }) => status === 201);
  expect(text('CCcam.cfg').match(/^F: .*$/gm)).toEqual([`F: same pw${winner}`]);
});

test('missing fields and wrong types are refused with the reason', {
  tags: ['spec:5.8', 'spec:5.9'],
}, async () => {
  const { call: ask } = await startTestAgent();
  const cases: [string, string, unknown, string][] = [
    ['POST', '/add-user', {}, REQUIRED],
    ['POST', '/add-user', { username: 'a', expiryDate: '01-01-2030' }, REQUIRED],
    ['POST', '/add-user', { username: '', password: '', expiryDate: '01-01-2030' }, REQUIRED],
    ['POST', '/add-user', { username: 'a', password: 'b' }, BAD_DATE],
    ['POST', '/add-user', { username: 1, password: 'b' }, 'username must be a string'],
    ['POST', '/add-user', { username: 'a', password: null }, 'password must be a string'],
    [
      'POST',
      '/add-user',
      { username: 'a', password: 'b', expiryDate: 5 },
      'expiryDate must be a string',
    ],
    ['PUT', '/edit-user', { newPassword: 'x' }, 'Username is required'],
    ['PUT', '/edit-user', { username: 'a' }, NOTHING_TO_DO],
    ['PUT', '/edit-user', { username: 'a', newPassword: '', newExpiryDate: '' }, NOTHING_TO_DO],
    [
      'PUT',
      '/edit-user',
      { username: 'a', newPassword: '', newExpiryDate: '01-01-2030' },
      'Password must not be empty',
    ],
    ['PUT', '/edit-user', { username: 'a', newExpiryDate: '2030-01-01' }, BAD_DATE],
    ['PUT', '/edit-user', { username: 'a', newPassword: ['x'] }, 'newPassword must be a string'],
    ['DELETE', '/delete-user', {}, 'Username is required'],
    ['DELETE', '/delete-user', { username: { a: 1 } }, 'username must be a string'],
    ['DELETE', '/delete-user', { ['__proto__']: { username: 'a' } }, 'Username is required'],
    ['DELETE', '/delete-user', '{"username":', 'The request body is not valid JSON'],
    ['DELETE', '/delete-user', undefined, 'The request body is not valid JSON'],
    [
      'DELETE',
      '/delete-user',
      Uint8Array.of(0x22, 0xff, 0x22),
      'The request body is not valid JSON',
    ],
    ['DELETE', '/delete-user', '["bob"]', 'The request body must be a JSON object'],
    ['DELETE', '/delete-user', 'null', 'The request body must be a JSON object'],
  ];
  for (const [method, path, body, message] of cases) {
    const answer = await ask(method, path, body);
    expect([body, answer.status, answer.body?.message]).toEqual([body, 400, message]);
  }
});

test('only real days in the form DD-MM-YYYY are taken', { tags: ['spec:5.11'] }, async () => {
  const { add, edit } = await startTestAgent();
  const wrong = ['31-02-2027', '29-02-2027', '00-01-2027', '01-13-2027', '2027-01-01', '1-1-2027'];
  wrong.push('01/01/2027', '01-01-27', ' 01-01-2027', '01-01-2027\n', '01-01-0000', '٠١-٠١-٢٠٢٧');
  expect((await add('a', 'b', '29-02-2028')).status).toBe(201);
  for (const date of wrong) {
    for (const answer of [
      await add('x', 'y', date),
      await edit({ username: 'a', newExpiryDate: date }),
    ]) {
      expect([date, answer.status, answer.body.message]).toEqual([date, 400, BAD_DATE]);
    }
  }
});

test('nothing that would break out of a line gets into the files', async () => {
  const agent = await startTestAgent();
  expect((await agent.add('safe', 'safe')).status).toBe(201);
  const before = agent.text('CCcam.cfg') + agent.text('oscam.user');
  const breakouts = [
    'a b',
    ' a',
    'a ',
    'a\tb',
    'a\nF: evil evil',
    'a\r\nF: evil evil',
    'a\rb',
    'a\u0000b',
    'a\u001bb',
    'a\u007fb',
    'a\u0085b',
    'a\u00a0b',
    'a\u2028b',
    'a\u2029b',
    'a\u3000b',
    'a\ufeffb',
    'a\ud800b',
    '#a',
    'a#b',
    ';a',
    '[account]',
    'a{',
    '{0:0:2}',
    'a}',
    'a'.repeat(64),
    'ä'.repeat(32),
  ];
  for (const text of breakouts) {
    for (const answer of [
      await agent.add(text, 'pw'),
      await agent.add('name', text),
      await agent.edit({ username: 'safe', newPassword: text }),
    ]) {
      expect([text, answer.status]).toEqual([text, 400]);
      expect(answer.body.message).toMatch(/^(Username|Password) must /);
    }
  }
  expect(agent.text('CCcam.cfg') + agent.text('oscam.user')).toBe(before);
});

test('harmless characters of any script are accepted', async () => {
  const agent = await startTestAgent();
  const plain = ['a', 'a.b-c_d@e:f', 'à', 'Łódź', 'имя', '用户', 'a=b', '=x', 'a;b', 'a[b]', '"q"'];
  plain.push("o'neil", 'a\\b', '😀', 'F:', '__proto__', 'constructor', 'toString', '0', '%s,$1');
  plain.push('a'.repeat(63));
  for (const text of plain) {
    const added = await agent.add(text, text);
    expect([text, added.status]).toEqual([text, 201]);
    expect(agent.text('CCcam.cfg')).toContain(`\nF: ${text} ${text}\n`);
    expect(agent.text('oscam.user')).toContain(`\nuser = ${text}\npwd = ${text}\n`);
    expect((await agent.add(text, text)).status).toBe(409);
  }
  for (const text of plain) expect([text, (await agent.remove(text)).status]).toEqual([text, 200]);
  expect(agent.text('CCcam.cfg')).not.toContain('F: ');
  expect(agent.text('oscam.user')).not.toContain('[account]');
});

test('named accounts are shown with their passwords, in one reply that a panel can read', async () => {
  const agent = await startTestAgent();
  await agent.add('bob', 'secret', '31-12-2090');
  const shown = await agent.call('POST', '/show-users', { usernames: ['bob', 'nobody', '\ud800'] });
  expect([shown.status, shown.body.users]).toEqual([
    200,
    [{ username: 'bob', password: 'secret', expiryDate: '31-12-2090' }],
  ]);
  expect((await agent.call('GET', '/users')).body.shows_users).toBe(true);
  const tooMany = Array.from({ length: 101 }, () => 'bob');
  for (const usernames of [undefined, 'bob', ['bob', 7], tooMany]) {
    expect((await agent.call('POST', '/show-users', { usernames })).status).toBe(400);
  }
  const longest = Array.from(
    { length: 100 },
    (_, index) => `${String(index).padStart(2, '0')}${'"'.repeat(61)}`,
  );
  for (const username of longest) await agent.add(username, '"'.repeat(63), '31-12-2090');
  const all = await agent.call('POST', '/show-users', { usernames: longest });
  expect(all.body.users).toHaveLength(100);
  expect(JSON.stringify(all.body).length).toBeLessThan(64 * 1024);
});
