import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, spawnAgent, startTestAgent, temporaryFolder } from '../testing.ts';

const LOCK = '.CCcam.cfg.linekeeper-lock';
const BLOCK = /^# BEGIN linekeeper\n[\s\S]*?^# END linekeeper\n/m;

type TestAgent = Awaited<ReturnType<typeof startTestAgent>>;

/** The error that an agent reports for a file with the block of `agent`. */
async function foreignBlockOf(agent: TestAgent): Promise<string> {
  const { instance } = (await agent.call('GET', '/')).body;
  return `holds the block of another agent, instance ${instance}: remove that block, or start with that agent's folder`;
}

function leadTo(agent: TestAgent, dir: string): void {
  rmSync(join(dir, 'CCcam.cfg'), { force: true });
  symlinkSync(join(agent.dir, 'CCcam.cfg'), join(dir, 'CCcam.cfg'));
}

async function namesOf(agent: TestAgent): Promise<string[]> {
  const users = (await agent.call('GET', '/users')).body.users as unknown as { username: string }[];
  return users.map(({ username }) => username);
}

test('two folders that lead to one file serve one agent at a time', async () => {
  const [one, two, real] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const target = join(real, 'CCcam.cfg');
  writeFileSync(target, 'F: op pw\n');
  symlinkSync(target, join(one, 'CCcam.cfg'));
  symlinkSync(join(one, 'CCcam.cfg'), join(two, 'CCcam.cfg'));
  const agent = await startTestAgent({ dir: one });
  await agent.add('bob');
  const foreign = await foreignBlockOf(agent);
  const refused = `CCcam.cfg (${target}) is already written by another agent`;
  await expect(startTestAgent({ dir: two })).rejects.toThrow(refused);
  const child = await spawnAgent({ AGENT_DIR: two });
  expect([child.url, (await child.ended).code]).toEqual([undefined, 1]);
  expect(child.errors()).toBe(`Agent could not start: ${refused}\n`);
  expect((await agent.add('eva')).status).toBe(201);
  expect(readFileSync(target, 'utf8')).toMatch(
    /^F: op pw\n# BEGIN.*\n.*\n.*\nF: bob pw\nF: eva pw\n/,
  );

  await agent.close();
  const refusedAfter = `CCcam.cfg (${target}) ${foreign}`;
  const before = readFileSync(target, 'utf8');
  await expect(startTestAgent({ dir: two })).rejects.toThrow(refusedAfter);
  const later = await spawnAgent({ AGENT_DIR: two });
  expect([later.url, (await later.ended).code]).toEqual([undefined, 1]);
  expect(later.errors()).toBe(`Agent could not start: ${refusedAfter}\n`);
  expect(readFileSync(target, 'utf8')).toBe(before);

  writeFileSync(target, before.replace(BLOCK, ''));
  const after = await startTestAgent({ dir: two });
  expect((await after.add('bob')).status).toBe(201);
});

test('an agent whose lock was removed takes it again by itself', async () => {
  const [one, two] = [await startTestAgent(), temporaryFolder()];
  leadTo(one, two);
  // Without accounts there is no block, so only the lock marks the file as taken.
  rmSync(join(one.dir, LOCK));
  await eventually(() => expect(existsSync(join(one.dir, LOCK))).toBe(true));
  await expect(startTestAgent({ dir: two })).rejects.toThrow('is already written by another agent');
  expect((await one.add('bob')).status).toBe(201);
});

test('a file that comes to be another agent’s is left alone, with its lock and without', async () => {
  const [one, two] = [await startTestAgent(), await startTestAgent()];
  await one.add('bob');
  // The account has already expired, so nothing is written yet, and the agent has no lock on the link's target.
  await two.add('tom', 'pw', '01-01-2020');
  leadTo(one, two.dir);
  const before = one.text('CCcam.cfg');
  const refusals = [
    'Could not write CCcam.cfg (already written by another agent). Nothing was changed.',
    `Could not write CCcam.cfg (${await foreignBlockOf(one)}). Nothing was changed.`,
  ];
  const held = await two.add('eva');
  expect([held.status, held.body.message]).toEqual([500, refusals[0]]);

  // The calls are made while the lock file is missing, so either agent may take the lock first.
  rmSync(join(one.dir, LOCK));
  for (const answer of [
    await two.add('eva'),
    await two.edit({ username: 'tom', newPassword: 'x' }),
    await two.remove('tom'),
  ]) {
    expect(answer.status).toBe(500);
    expect(refusals).toContain(answer.body.message);
    // The panel shows at most 200 characters of a card server's message.
    expect(answer.body.message?.length).toBeLessThanOrEqual(200);
  }
  expect(one.text('CCcam.cfg')).toBe(before);
  expect(await namesOf(two)).toEqual(['tom']);
  expect((await one.add('kim')).status).toBe(201);
  expect(one.text('CCcam.cfg')).toContain('F: bob pw\nF: kim pw\n');
});

test('a block stays with its agent: a new one asks for its removal, a copy of the folder goes on', async () => {
  const [copy, fresh] = [temporaryFolder(), temporaryFolder()];
  const old = await startTestAgent();
  await old.add('bob');
  const foreign = await foreignBlockOf(old);
  await old.close();
  cpSync(old.dir, copy, { recursive: true });
  const moved = await startTestAgent({ dir: copy });
  expect((await moved.add('eva')).status).toBe(201);
  expect(moved.text('CCcam.cfg')).toContain('F: bob pw\nF: eva pw\n');

  writeFileSync(join(fresh, 'CCcam.cfg'), `F: op pw\n${old.text('CCcam.cfg')}`);
  await expect(startTestAgent({ dir: fresh })).rejects.toThrow(
    `CCcam.cfg (${join(fresh, 'CCcam.cfg')}) ${foreign}`,
  );
  expect(readFileSync(join(fresh, 'CCcam.cfg'), 'utf8')).toContain('F: bob pw\n');
  writeFileSync(join(fresh, 'CCcam.cfg'), 'F: op pw\n');
  const begun = await startTestAgent({ dir: fresh, checkEveryMs: 10 });

  // The running agent refuses too. Once the block is removed, all pending changes are written.
  writeFileSync(join(fresh, 'CCcam.cfg'), old.text('CCcam.cfg').replace(/# END.*\n/, ''));
  const refused = await begun.add('kim');
  expect([refused.status, refused.body.message]).toEqual([
    500,
    `Could not write CCcam.cfg (${foreign}). Nothing was changed.`,
  ]);
  writeFileSync(join(fresh, 'CCcam.cfg'), 'F: op pw\n');
  expect((await begun.add('kim')).status).toBe(201);
  expect(begun.text('CCcam.cfg')).toMatch(/^F: op pw\n# BEGIN linekeeper\n.*\n.*\nF: kim pw\n/);
});

test('where OSCam has dropped the marks, the rows of an agent that lost its records are the operator’s', async () => {
  const { dir, add, close, text } = await startTestAgent();
  await add('bob');
  await close();
  for (const name of ['agent.db', 'agent.db-wal', 'agent.db-shm', 'CCcam.cfg']) {
    rmSync(join(dir, name), { force: true });
  }
  const file = join(dir, 'oscam.user');
  writeFileSync(file, text('oscam.user').replace(/^#.*\n/gm, ''));
  const before = readFileSync(file, 'utf8');
  const agent = await startTestAgent({ dir });
  expect((await agent.add('bob')).body.code).toBe('KEPT_BY_HAND');
  expect((await agent.call('GET', '/')).body).toMatchObject({ accounts: 0, by_hand: 1 });
  expect(readFileSync(file, 'utf8')).toBe(before);
  const accounts = [{ username: 'bob', password: 'pw', expiryDate: '31-12-2099' }];
  const { body } = await agent.call('POST', '/take-over', { accounts });
  expect(body).toMatchObject({ taken: ['bob'], refused: [] });
});
