// @module-tag thorough
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readAccounts } from '@linekeeper/oscam/testing/accounts.ts';
import { expect, onTestFinished, test } from 'vitest';
import { Store } from '../store.ts';
import { call, spawnAgent, startTestAgent, temporaryFolder } from '../testing.ts';
import { idOf } from './atomic-write.ts';
import { contentDigestOf } from './late-writes.ts';

const OWN_ROW = '[account]\nuser = op\npwd = op-pw\ngroup = 7\nservices = hd\n';
const KEPT = /^\.(oscam\.user|CCcam\.cfg)\.linekeeper-replaced-[0-9a-f]{16}$/;

/** Starts an agent that can be killed and started again with the same folder, whose `oscam.user` is elsewhere. */
async function startKillable() {
  const dir = temporaryFolder();
  const real = join(dir, 'oscam');
  mkdirSync(real);
  writeFileSync(join(real, 'oscam.user'), OWN_ROW);
  symlinkSync(join(real, 'oscam.user'), join(dir, 'oscam.user'));
  writeFileSync(join(dir, 'CCcam.cfg'), 'F: op pw\n');
  let agent = await spawnAgent({ AGENT_DIR: dir });
  const read = (name: string) => readFileSync(join(dir, name), 'latin1');
  const lines = () => read('CCcam.cfg').match(/(?<=^F: )\S+/gm) ?? [];
  return {
    dir,
    read,
    lines,
    names: () => readAccounts(read('oscam.user')).map(({ user }) => user),
    rowOf: (name: string) => readAccounts(read('oscam.user')).find(({ user }) => user === name),
    kept: () => [...readdirSync(dir), ...readdirSync(real)].filter((name) => KEPT.test(name)),
    /** Opens a file for writing, as a card server that saves it does, or a shell that appends to it. */
    open(name: string, flags: 'r+' | 'a') {
      const file = openSync(join(dir, name), flags);
      onTestFinished(() => closeSync(file));
      return {
        append: (text: string) => writeSync(file, text),
        save(text: string): void {
          ftruncateSync(file);
          writeSync(file, text, 0);
        },
      };
    },
    async add(username: string): Promise<void> {
      const body = { username, password: 'pw', expiryDate: '31-12-2099' };
      const { status } = await call(agent.url ?? '', 'POST', '/add-user', body);
      expect(status).toBe(201);
    },
    async kill(): Promise<void> {
      agent.process.kill('SIGKILL');
      await agent.ended;
    },
    async start(): Promise<void> {
      agent = await spawnAgent({ AGENT_DIR: dir });
      expect([agent.url !== undefined, agent.errors()]).toEqual([true, '']);
    },
    async stop(): Promise<void> {
      agent.process.kill('SIGTERM');
      await agent.ended;
    },
  };
}

test('a save that fell into the agent’s own rename outlives a kill that comes before the agent saw it', async () => {
  const world = await startKillable();
  await world.add('bob');
  const saving = world.open('oscam.user', 'r+');
  const text = world.read('oscam.user').replace('services = hd', 'services = no');
  await world.add('eva');
  await world.add('tom');
  await world.kill();
  saving.save(text);
  await world.start();
  // These checks come before the card server is made to read the file.
  expect(world.rowOf('op')).toMatchObject({ services: 'no', group: '7' });
  expect(world.names()).toEqual(['op', 'bob', 'eva', 'tom']);
  expect(world.kept().length).toBeGreaterThan(0);
  await world.stop();
  expect(world.kept()).toEqual([]);
});

test('what was appended to a replaced file is taken once, however often the agent is killed', async () => {
  const world = await startKillable();
  const appending = world.open('CCcam.cfg', 'a');
  await world.add('bob');
  await world.kill();
  appending.append('F: first pw\n');
  await world.start();
  expect(world.lines()).toEqual(['op', 'bob', 'first']);
  await world.kill();
  appending.append('F: second pw\n');
  await world.start();
  await world.add('eva');
  await world.kill();
  await world.start();
  expect(world.lines()).toEqual(['op', 'bob', 'eva', 'first', 'second']);
});

test('what was saved later counts, and what was appended later stays', async () => {
  const world = await startKillable();
  const [older, oscam] = [world.open('CCcam.cfg', 'r+'), world.open('oscam.user', 'r+')];
  await world.add('bob');
  await world.kill();
  older.save('F: saved pw\n');
  appendFileSync(join(world.dir, 'CCcam.cfg'), 'F: appended pw\n');
  oscam.save(OWN_ROW.replace('hd', 'older'));
  writeFileSync(join(world.dir, 'oscam.user'), OWN_ROW.replace('hd', 'newer'));
  await world.start();
  expect(world.lines().toSorted()).toEqual(['appended', 'bob', 'saved']);
  expect(world.rowOf('op')).toMatchObject({ services: 'newer' });
  expect(world.rowOf('bob')).toBeDefined();
});

test('a row that was saved at the end of a replaced file, and since with the whole file, stands once', async () => {
  const world = await startKillable();
  const oscam = world.open('oscam.user', 'a');
  await world.add('bob');
  await world.kill();
  const row = (group: number) => `\n[account]\nuser = own\npwd = own\ngroup = ${group}\n`;
  oscam.append(row(1));
  writeFileSync(join(world.dir, 'oscam.user'), OWN_ROW + row(2));
  await world.start();
  expect(world.names()).toEqual(['op', 'own', 'bob']);
  expect(world.rowOf('own')).toMatchObject({ group: '2' });
});

test('names of a file that a killed agent has left are no hard links of others', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'oscam.user');
  writeFileSync(file, OWN_ROW);
  const own = ['0123456789abcdef', 'replaced-0123456789abcdef'];
  for (const name of own) linkSync(file, join(dir, `.oscam.user.linekeeper-${name}`));
  const agent = await startTestAgent({ dir });
  expect(readdirSync(dir).filter((name) => /[0-9a-f]{16}$/.test(name))).toEqual([]);
  await agent.add('bob');
  await agent.close();
  linkSync(file, join(dir, '.oscam.user.linekeeper-replaced-0123456789abcdef'));
  linkSync(file, join(dir, 'other'));
  await expect(startTestAgent({ dir })).rejects.toThrow('has 2 names (hard links)');
});

test('a file is not taken for one that was replaced where the kill came before the rename', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'oscam.user');
  writeFileSync(file, OWN_ROW);
  const name = '.oscam.user.linekeeper-replaced-0123456789abcdef';
  linkSync(file, join(dir, name));
  const id = idOf(statSync(file, { bigint: true }));
  const taken = contentDigestOf(readFileSync(file));
  const made = { print: 'none', ...contentDigestOf(Buffer.from('new')) };
  const files = [{ name, id, taken, isWhole: true, isOvertaken: false }];
  const store = new Store(join(dir, 'agent.db'));
  const state = JSON.stringify({ made, files });
  store.saveReplaced('oscam.user', id, '1:1', state);
  store.close();
  const agent = await startTestAgent({ dir });
  appendFileSync(file, '\n[account]\nuser = own\npwd = own\n');
  await agent.add('bob');
  await agent.close();
  const names = readAccounts(readFileSync(file, 'latin1')).map(({ user }) => user);
  expect(names).toEqual(['op', 'own', 'bob']);
});
