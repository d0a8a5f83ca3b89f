// @module-tag thorough
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { startOscam } from '@linekeeper/oscam/testing/oscam.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentOptions } from '../agent.ts';
import { eventually, startTestAgent, temporaryFolder } from '../testing.ts';

const OWN_ROW = '# of the operator\n[account]\nuser = op\npwd = op-pw\ngroup = 7\nservices = hd\n';

/** Starts an agent and a stand-in for OSCam with the same file, in which the operator has a row. */
async function startBoth(options: Partial<AgentOptions> & { isTold?: boolean } = {}) {
  const { isTold = false, ...rest } = options;
  const dir = temporaryFolder();
  const file = join(dir, 'oscam.user');
  writeFileSync(file, OWN_ROW);
  const oscam = await startOscam({ file });
  onTestFinished(() => oscam.kill());
  const reload = isTold ? { webif: { url: new URL(oscam.url) } } : {};
  const agent = await startTestAgent({ dir, checkEveryMs: 20, reload, ...rest } as AgentOptions);
  const inFile = () => readAccounts(agent.read('oscam.user').toString('latin1'));
  return {
    oscam,
    agent,
    file,
    inFile,
    rowOf: (name: string) => inFile().find(({ user }) => user === name),
    names: () => inFile().map(({ user }) => user),
  };
}

test('after a save that drops all marks every change arrives, and no name stands twice', async () => {
  const { oscam, agent, rowOf, names } = await startBoth({ isTold: true });
  for (const name of ['bob', 'eva', 'tom']) {
    expect((await agent.add(name)).body).toMatchObject({ applied: true });
  }
  await oscam.edit('op', { services: 'hd,film' });
  expect(agent.text('oscam.user')).not.toContain('linekeeper');

  expect((await agent.add('kim')).status).toBe(201);
  await oscam.edit('op', { services: 'film' });
  const edits = [
    { username: 'bob', newPassword: 'new' },
    { username: 'eva', newExpiryDate: '01-02-2098' },
  ];
  for (const edit of edits) expect((await agent.edit(edit)).status).toBe(200);
  expect((await agent.remove('tom')).status).toBe(200);
  expect(names().toSorted()).toEqual(['bob', 'eva', 'kim', 'op']);
  expect(rowOf('bob')).toMatchObject({ pwd: 'new', group: '1' });
  expect(rowOf('eva')).toMatchObject({ pwd: 'pw', expdate: '2098-02-01' });
  expect(rowOf('op')).toMatchObject({ pwd: 'op-pw', group: '7', services: 'film' });
  expect(oscam.accepts('bob', 'new')).toBe(true);
  expect(oscam.accepts('tom', 'pw')).toBe(false);
});

test('blank lines do not add up where rows come and go', async () => {
  const { oscam, agent, names } = await startBoth({ isTold: true });
  const lines = ['ann', 'bob', 'eva', 'kim', 'tom'];
  for (const name of lines) await agent.add(name);
  await oscam.edit('op', { services: 'film' });
  const empty = () => agent.text('oscam.user').match(/^[ \t]*$/gm)?.length ?? 0;
  const before = empty();
  for (let round = 0; round < 2; round += 1) {
    for (const name of lines) {
      await agent.remove(name);
      await agent.add(name);
    }
    if (round === 0) await oscam.edit('op', { services: 'hd' });
  }
  expect(names().toSorted()).toEqual([...lines, 'op'].toSorted());
  expect(agent.text('oscam.user')).not.toMatch(/\n[ \t]*\n[ \t]*\n/);
  expect(empty()).toBeLessThanOrEqual(before);
  // Blank lines of the operator's stay in the file.
  const path = join(agent.dir, 'CCcam.cfg');
  appendFileSync(path, '\n\n\n# mine\n\n\nF: op pw\n');
  for (const name of lines) await agent.remove(name);
  expect(agent.text('CCcam.cfg')).toContain('\n\n\n# mine\n\n\nF: op pw\n');
});

test('what the operator set on a line stays, whatever happens to the line', async () => {
  let now = new Date('2027-03-09T12:00:00Z');
  const { oscam, agent, rowOf } = await startBoth({ isTold: true, now: () => now });
  await agent.add('bob', 'pw', '10-03-2027');
  const set = { group: '5,6', services: 'hd', max_connections: '2' };
  await oscam.edit('bob', set);
  await agent.edit({ username: 'bob', newPassword: 'new' });
  expect(rowOf('bob')).toMatchObject({ pwd: 'new', ...set });
  await agent.edit({ username: 'bob', newExpiryDate: '11-03-2027' });
  expect(rowOf('bob')).toMatchObject({ expdate: '2027-03-11', ...set });

  now = new Date('2027-03-12T12:00:00Z');
  await eventually(() => expect(rowOf('bob')).toBeUndefined());
  await agent.edit({ username: 'bob', newExpiryDate: '20-03-2027' });
  expect(rowOf('bob')).toMatchObject({ expdate: '2027-03-20', pwd: 'new', ...set });

  // The panel suspends the line and resumes it.
  await agent.remove('bob');
  expect(rowOf('bob')).toBeUndefined();
  await agent.add('bob', 'new', '20-03-2027');
  expect(rowOf('bob')).toMatchObject({ pwd: 'new', ...set });

  // After a sale to somebody else, nothing is left of the earlier customer, even if OSCam still has it.
  await agent.remove('bob');
  await agent.add('bob', 'other', '20-03-2027');
  const fresh = { pwd: 'other', group: '1', services: '', max_connections: '1' };
  expect(rowOf('bob')).toMatchObject(fresh);
});

test('a customer of today gets nothing of one before, though OSCam saves that one’s row', async () => {
  const { oscam, agent, rowOf } = await startBoth();
  await agent.add('bob', 'first');
  await oscam.restart();
  await oscam.edit('bob', { group: '9' });
  await agent.remove('bob');
  await agent.add('bob', 'second');
  await oscam.edit('op');
  expect(rowOf('bob')).toMatchObject({ pwd: 'first', group: '9' });
  await eventually(() => expect(rowOf('bob')).toMatchObject({ pwd: 'second', group: '1' }));
});

test('what was sold between a reading and a save comes back, and OSCam learns of it', async () => {
  const { oscam, agent, names, rowOf } = await startBoth({ isTold: true });
  await agent.add('bob');
  // OSCam reads an older file, as if the agent's requests to reread came too late.
  oscam.faults.readsInstead = agent.dir;
  await agent.add('eva');
  oscam.faults.readsInstead = undefined;
  await oscam.edit('op', { services: 'film' });
  await eventually(() => expect(names().toSorted()).toEqual(['bob', 'eva', 'op']));
  await eventually(() => expect(oscam.accepts('eva', 'pw')).toBe(true));
  expect(rowOf('op')).toBeDefined();
});

test('what a save changes on lines of the agent’s is put right', async () => {
  const { oscam, agent, names, rowOf } = await startBoth({ isTold: true });
  for (const name of ['bob', 'eva', 'tom', 'kim']) await agent.add(name);
  await oscam.edit('bob', { disabled: '1' });
  await oscam.edit('eva', { pwd: 'stolen', group: '4' });
  await oscam.edit('kim', { expdate: '2099-01-01' });
  await oscam.remove('tom');
  await eventually(() => {
    expect(names().toSorted()).toEqual(['bob', 'eva', 'kim', 'op', 'tom']);
    expect(rowOf('bob')).toMatchObject({ disabled: '0' });
    expect(rowOf('eva')).toMatchObject({ pwd: 'pw', group: '4' });
    expect(rowOf('kim')).toMatchObject({ expdate: '2099-12-31' });
    for (const name of ['bob', 'eva', 'tom', 'kim']) expect(oscam.accepts(name, 'pw')).toBe(true);
  });
});

test('deleted lines stay deleted, however old the memory that OSCam saves', async () => {
  const { oscam, agent, names } = await startBoth();
  await agent.add('bob', 'first');
  await agent.add('eva');
  await oscam.restart();
  await agent.edit({ username: 'bob', newPassword: 'second' });
  await agent.remove('bob');
  await oscam.edit('eva', { pwd: 'by-hand' });
  await agent.remove('eva');
  await oscam.edit('op', { services: 'film' });
  expect(names().toSorted()).toEqual(['bob', 'eva', 'op']);
  await eventually(() => expect(names()).toEqual(['op']));

  // A row with this name and another password belongs to the operator.
  await oscam.restart();
  await oscam.edit('bob', { pwd: 'mine', disabled: '0' });
  const refused = await agent.add('bob', 'third');
  expect([refused.status, refused.body.code]).toEqual([409, 'KEPT_BY_HAND']);
  expect(names().toSorted()).toEqual(['bob', 'op']);
});

test('once OSCam has read a deletion, an editor that was left open does not bring it back', async () => {
  const { oscam, agent, file, names } = await startBoth({ isTold: true });
  await agent.add('bob');
  const before = agent.text('oscam.user');
  await agent.remove('bob');
  expect(oscam.names()).toEqual(['op']);
  writeFileSync(file, before);
  await eventually(() => expect(names()).toEqual(['op']));
  await eventually(() => expect(oscam.accepts('bob', 'pw')).toBe(false));
  expect((await agent.add('bob')).status).toBe(201);
});

test('while OSCam still knows a deleted line, a save of it does not make it the operator’s', async () => {
  const { oscam, agent, file, names } = await startBoth({ isTold: true });
  await agent.add('bob');
  // OSCam reads an earlier version of the file.
  const before = join(temporaryFolder(), 'oscam.user');
  copyFileSync(file, before);
  oscam.faults.readsInstead = before;
  expect((await agent.remove('bob')).body).toMatchObject({ applied: false });
  expect(oscam.names()).toEqual(['op', 'bob']);
  await oscam.edit('op', { services: 'film' });
  expect(names()).toEqual(['op', 'bob']);
  await eventually(() => expect(names()).toEqual(['op']));
});

test('a row that stands twice is one again', async () => {
  const { agent, file, names } = await startBoth();
  await agent.add('bob');
  appendFileSync(file, '\n[ACCOUNT]\nUser\t=\tbob\nPWD=pw\n');
  await eventually(() => expect(names()).toEqual(['op', 'bob']));
});

test('half a file is never taken for what the operator wants', async () => {
  const { oscam, agent, names, rowOf } = await startBoth({ isTold: true });
  for (let index = 0; index < 20; index += 1) await oscam.edit(`own-${index}`, { pwd: 'pw' });
  await agent.add('bob');
  let goOn = () => {};
  oscam.faults.midSave = () => new Promise((resolve) => (goOn = resolve));
  const saved = oscam.edit('own-19', { services: 'film' });
  await eventually(() => expect(names().length).toBeLessThan(12));
  const added = agent.add('eva');
  setTimeout(() => goOn(), 400);
  await saved;
  expect((await added).status).toBe(201);
  const wanted = Array.from({ length: 20 }, (_, index) => `own-${index}`).concat(
    'op',
    'bob',
    'eva',
  );
  await eventually(() => expect(names().toSorted()).toEqual(wanted.toSorted()));
  for (let index = 0; index < 20; index += 1) {
    expect(rowOf(`own-${index}`)).toMatchObject({ pwd: 'pw', disabled: '1', group: '1' });
  }
  expect(rowOf('own-19')).toMatchObject({ services: 'film' });
});

test('a save to a file that the agent has replaced twice since counts all the same', async () => {
  const { agent, file, rowOf } = await startBoth();
  await agent.add('bob');
  const slow = await open(file, 'r+');
  const text = agent.text('oscam.user').replace('services = hd', 'services = no');
  await agent.add('eva');
  await agent.add('tom');
  await slow.write(text, 0);
  await slow.close();
  await eventually(() => expect(rowOf('op')).toMatchObject({ services: 'no' }));
  for (const name of ['bob', 'eva', 'tom']) expect(rowOf(name)).toBeDefined();
});

test('a save to a replaced file does not undo one that was begun later', async () => {
  const { agent, file, rowOf } = await startBoth();
  const slow = await open(file, 'r+');
  await agent.add('bob');
  const text = agent.text('oscam.user');
  writeFileSync(file, text.replace('services = hd', 'services = newer'));
  // The agent finds the file correct, and does not write it.
  await sleep(500);
  await slow.write(text.replace('services = hd', 'services = older'), 0);
  await slow.close();
  await agent.add('eva');
  await agent.close();
  expect(rowOf('op')).toMatchObject({ services: 'newer' });
  expect(rowOf('bob') && rowOf('eva')).toBeDefined();
});

test('only what differs is written: blanks, notes, order and case of a row are its operator’s', async () => {
  const { agent, file } = await startBoth();
  await agent.add('bob');
  const row = (day: string, off: string, password: string) =>
    `[Account]\r\n\tUSER\t=  bob\r\n# his second box\r\nDisabled = ${off} # why\r\nPwd =${password}\r\nexpdate=${day} # until then\r\nGroup = 3 , 1\r\n\r\n`;
  const others = '[account]\nuser = \xe4\npwd = \xff\n';
  const put = (text: string) => writeFileSync(file, Buffer.from(others + text, 'latin1'));
  const read = () => agent.read('oscam.user').toString('latin1');
  put(row('2099/12/31', '0', 'pw'));
  expect((await agent.add('eva')).status).toBe(201);
  expect(read().startsWith(others + row('2099/12/31', '0', 'pw'))).toBe(true);
  put(row('2099/12/31', '01', 'pw'));
  await agent.edit({ username: 'bob', newExpiryDate: '02-01-2098', newPassword: 'new' });
  expect(read().startsWith(others + row('2098-01-02', '0', 'new'))).toBe(true);
  put('[account]\nuser                          = bob\ngroup                         = 2\n');
  await agent.edit({ username: 'bob', newPassword: 'x' });
  expect(read()).toContain(
    'user                          = bob\npwd                           = x\nexpdate                       = 2098-01-02\ngroup',
  );
});
