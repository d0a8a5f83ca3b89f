// Tests of the ids by which the agent recognises a line of the panel after a change of its name or password.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestAgent, temporaryFolder } from './testing.ts';

type TestAgent = Awaited<ReturnType<typeof startTestAgent>>;

const add = (agent: TestAgent, username: string, more: object = {}) =>
  agent.call('POST', '/add-user', {
    username,
    password: 'pw',
    expiryDate: '31-12-2099',
    line: 'line-1',
    ...more,
  });

/** Settings that an operator adds to a row of the agent's. */
function setByHand(agent: TestAgent, name: string): void {
  const put = (file: string, from: string, to: string) =>
    writeFileSync(join(agent.dir, file), agent.text(file).replace(from, to));
  put('CCcam.cfg', `F: ${name} pw\n`, `F: ${name} pw 2 0 1 # in cash\n`);
  put(
    'oscam.user',
    `user = ${name}\npwd = pw\nexpdate = 2099-12-31\ngroup = 1\n`,
    `user = ${name}\npwd = pw\nexpdate = 2099-12-31\ngroup = 2,5\nmax_connections = 3\ndescription = in cash\n`,
  );
}

function expectSet(agent: TestAgent, name: string, password = 'pw'): void {
  expect(agent.text('CCcam.cfg')).toContain(`F: ${name} ${password} 2 0 1 # in cash\n`);
  const user = `user = ${name}\npwd = ${password}\nexpdate = 2099-12-31\n`;
  expect(agent.text('oscam.user')).toContain(
    `${user}group = 2,5\nmax_connections = 3\ndescription = in cash\n`,
  );
}

test.each([
  ['added before the old one is deleted', true],
  ['added after the old one was deleted', false],
])('a new name, %s, keeps what the operator set', async (_, isFirst) => {
  const agent = await startTestAgent();
  await add(agent, 'old');
  setByHand(agent, 'old');
  if (!isFirst) await agent.remove('old');
  expect((await add(agent, 'new')).status).toBe(201);
  if (isFirst) await agent.remove('old');
  expectSet(agent, 'new');
  expect(agent.text('CCcam.cfg') + agent.text('oscam.user')).not.toContain('old');

  // A line that gets the old name belongs to another customer, even if its password is equal.
  await add(agent, 'old', { line: 'line-2', password: 'other' });
  expect(agent.text('CCcam.cfg')).toContain('F: old other\n');
  expectSet(agent, 'new');
  // A line that gets the old name back gets the last settings of its row, too.
  await agent.remove('old');
  await add(agent, 'old');
  await agent.remove('new');
  expectSet(agent, 'old');
});

test('a line that comes back with another password keeps what the operator set', async () => {
  const agent = await startTestAgent();
  await add(agent, 'sue');
  setByHand(agent, 'sue');
  await agent.remove('sue');
  await add(agent, 'sue', { password: 'second' });
  expectSet(agent, 'sue', 'second');
  // The name is sold again, first by a panel that sends the ids of lines and then by one that does not.
  await agent.remove('sue');
  await add(agent, 'sue', { line: 'line-2', password: 'third' });
  expect(agent.text('CCcam.cfg')).toContain('F: sue third\n');
  await agent.remove('sue');
  await agent.add('sue', 'fourth');
  await agent.remove('sue');
  await add(agent, 'sue', { line: 'line-1', password: 'fifth' });
  expect(agent.text('CCcam.cfg')).toContain('F: sue fifth\n');
});

test('a line of an earlier version is known from its next change', async () => {
  const agent = await startTestAgent();
  await agent.add('old');
  await agent.edit({ username: 'old', newExpiryDate: '31-12-2099', line: 'line-1' });
  setByHand(agent, 'old');
  await add(agent, 'new');
  expectSet(agent, 'new');
  for (const line of ['', 'x'.repeat(65), 7]) {
    expect((await add(agent, 'wrong', { line })).status).toBe(400);
  }
});

test('a new name waits for the row by hand of the old one, and gets what that said', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'CCcam.cfg'), 'F: old pw 2 0 1 # in cash\n');
  const agent = await startTestAgent({ dir });
  const refused = await add(agent, 'new', { formerly: 'old' });
  expect([refused.status, refused.body.code]).toEqual([409, 'KEPT_BY_HAND']);
  const account = { username: 'old', password: 'pw', expiryDate: '31-12-2099', line: 'line-1' };
  await agent.call('POST', '/take-over', { accounts: [{ ...account, deleted: true }] });
  expect((await add(agent, 'new', { formerly: 'old' })).status).toBe(201);
  expect(agent.text('CCcam.cfg')).toContain('F: new pw 2 0 1 # in cash\n');
  appendFileSync(join(dir, 'CCcam.cfg'), 'F: old pw\n');
  await agent.add('any');
  expect(agent.text('CCcam.cfg')).not.toContain('F: old ');
});

test('a new name that is added while the old one is deleted keeps what the operator set just before', async () => {
  const agent = await startTestAgent();
  for (const pair of ['a', 'b', 'c', 'd', 'e']) {
    const [old, next, line] = [`old-${pair}`, `new-${pair}`, `line-${pair}`];
    await add(agent, old, { line });
    setByHand(agent, old);
    await Promise.all([agent.remove(old), add(agent, next, { line })]);
    expectSet(agent, next);
  }
});

test('a change of another line with another password is another customer’s', async () => {
  const agent = await startTestAgent();
  await add(agent, 'sue');
  setByHand(agent, 'sue');
  const change = { username: 'sue', newExpiryDate: '31-12-2099', line: 'line-2' };
  await agent.edit({ ...change, newPassword: 'pw' });
  expectSet(agent, 'sue');
  await agent.edit({ ...change, newPassword: 'second' });
  expectSet(agent, 'sue', 'second');
  // The line was deleted and sold again while the agent was not running.
  const answer = await agent.edit({ ...change, newPassword: 'third', line: 'line-3' });
  expect(answer.status).toBe(200);
  expect(agent.text('CCcam.cfg')).toContain('F: sue third\n');
  expect(agent.text('oscam.user')).not.toContain('max_connections');
});
