// @module-tag thorough
import { expect, test } from 'vitest';
import { startAgentBeside, startTestOscam } from '../testing/oscam/beside.ts';
import { call, eventually, spawnAgent, startTestAgent, temporaryFolder } from '../testing.ts';

type State = Record<string, unknown>;

async function stateAt(url: string): Promise<State> {
  return (await call(url, 'GET', '/')).body.reload as unknown as State;
}

/** Returns a gate that delays the next rereads until the test opens it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reached = 0;
  return {
    open,
    reached: () => reached,
    async wait(): Promise<void> {
      reached += 1;
      await opened;
    },
  };
}

test('many sales during one reread are read by one more, and nobody waits for it', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam, { replyMs: 1000 });
  await agent.add('first');
  const before = oscam.counts.rereads;
  const held = gate();
  oscam.faults.beforeReread = held.wait;

  const starting = agent.add('anna');
  await eventually(() => expect(held.reached()).toBe(1));
  const names = Array.from({ length: 40 }, (_, index) => `line-${index}`);
  const answers = await Promise.all([starting, ...names.map((name) => agent.add(name))]);
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([
      201,
      {
        message:
          'User added successfully. The card server has not loaded it yet: The reload is still running.',
        applied: false,
      },
    ]);
  }
  const waiting = await agent.reload();
  expect(waiting).toMatchObject({ ok: true, waiting: 41, cannot_connect: 41 });
  expect(waiting.names).toHaveLength(20);
  expect(waiting.names).toContain('anna');

  held.open();
  await eventually(async () => expect(await agent.reload()).toMatchObject({ waiting: 0 }));
  expect(oscam.counts.rereads).toBe(before + 2);
  expect(oscam.names().toSorted()).toEqual(['first', 'anna', ...names].toSorted());
});

test("a password that changes during a reread is the next one's, and no failure", async () => {
  const oscam = await startTestOscam();
  const warnings: unknown[] = [];
  const agent = await startAgentBeside(oscam, {
    log: (entry) => entry.level !== 'info' && warnings.push(entry),
  });
  await agent.add('anna', 'one');
  const held = gate();
  oscam.faults.beforeReread = held.wait;
  const second = agent.edit({ username: 'anna', newPassword: 'two' });
  await eventually(() => expect(held.reached()).toBe(1));
  const third = agent.edit({ username: 'anna', newPassword: 'three' });
  await eventually(() => expect(agent.text('oscam.user')).toContain('three'));
  held.open();
  expect((await second).body.applied).toBe(true);
  expect((await third).body.applied).toBe(true);
  expect(oscam.accepts('anna', 'three')).toBe(true);
  expect(warnings).toEqual([]);
});

test('a change that OSCam has read already needs no reread', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam);
  await agent.add('anna', 'pw', '31-12-2090');
  const before = oscam.counts.rereads;
  const same = await agent.edit({ username: 'anna', newExpiryDate: '31-12-2090' });
  expect(same.body.applied).toBe(true);
  expect(oscam.counts.rereads).toBe(before);
});

test('new lines, new passwords and lines that had ended keep customers out; renewals do not', async () => {
  let clock = new Date('2026-11-26T12:00:00Z');
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam, { now: () => clock });
  for (const name of ['runs', 'ends', 'word', 'gone']) await agent.add(name, 'pw', '30-11-2026');
  await agent.edit({ username: 'runs', newExpiryDate: '31-12-2026' });
  await agent.edit({ username: 'word', newExpiryDate: '31-12-2026' });
  oscam.faults.forbids = true;
  clock = new Date('2026-12-01T12:00:00Z');
  await agent.edit({ username: 'runs', newExpiryDate: '31-12-2027' });
  await agent.edit({ username: 'ends', newExpiryDate: '31-12-2027' });
  await agent.edit({ username: 'word', newPassword: 'pw2' });
  await agent.add('new');
  await agent.remove('gone');
  await agent.remove('runs');
  await agent.add('back');
  await agent.remove('back');
  await agent.add('back');
  expect(await agent.reload()).toMatchObject({
    waiting: 9,
    since: clock.toISOString(),
    names: ['ends', 'word', 'new', 'back'],
    cannot_connect: 4,
    still_names: ['runs'],
    still_connect: 1,
  });
});

test('a row that goes with its day goes from OSCam, too', async () => {
  let clock = new Date('2026-11-26T12:00:00Z');
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam, { now: () => clock, checkEveryMs: 10 });
  await agent.add('short', 'pw', '26-11-2026');
  await agent.add('long', 'pw', '30-11-2026');
  expect(oscam.names()).toEqual(['long', 'short']);
  clock = new Date('2026-11-27T00:00:01Z');
  await eventually(() => expect(oscam.names()).toEqual(['long']));
});

test('"Read again" does not wait for the pause after a failure', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam, { retriesMs: [600_000] });
  oscam.faults.forbids = true;
  await agent.add('anna');
  const failed = await agent.call('POST', '/reload', {});
  expect(failed.status).toBe(200);
  expect(failed.body).toMatchObject({
    applied: false,
    message: expect.stringMatching(/httpallowed/),
  });
  oscam.faults.forbids = false;
  const read = await agent.call('POST', '/reload', {});
  expect(read.body).toMatchObject({
    applied: true,
    message: 'The card server has reloaded its files',
    reload: { ok: true, waiting: 0 },
  });
  expect(oscam.names()).toEqual(['anna']);
  expect((await call(agent.url, 'POST', '/reload', {}, '')).status).toBe(401);
});

test('a failure delays the next attempt, however many changes come', async () => {
  const oscam = await startTestOscam();
  const agent = await startAgentBeside(oscam, { retriesMs: [600_000] });
  await agent.add('anna');
  await oscam.kill();
  const refused = await agent.add('bob');
  expect(refused.body.message).toContain('ECONNREFUSED');
  await oscam.start();
  const before = oscam.counts.rereads;
  for (const name of ['eva', 'tom', 'uwe']) {
    expect((await agent.add(name)).body.message).toContain('ECONNREFUSED');
  }
  expect(oscam.counts.rereads).toBe(before);
});

test('what waits is known after kill -9, and read at the next start', async () => {
  const oscam = await startTestOscam();
  const env = { AGENT_DIR: oscam.dir, ...oscam.settings };
  const first = await spawnAgent(env);
  await eventually(async () => expect(await stateAt(first.url!)).toMatchObject({ ok: true }));
  oscam.faults.forbids = true;
  const body = { username: 'anna', password: 'geheim', expiryDate: '31-12-2099' };
  expect((await call(first.url!, 'POST', '/add-user', body)).body.applied).toBe(false);
  const { since } = await stateAt(first.url!);
  first.process.kill('SIGKILL');
  await first.ended;

  const second = await spawnAgent(env);
  await eventually(async () => {
    const code = 'WEBIF_FORBIDDEN';
    expect(await stateAt(second.url!)).toMatchObject({ code, waiting: 1, since, names: ['anna'] });
  });
  oscam.faults.forbids = false;
  await eventually(async () => {
    expect(await stateAt(second.url!)).toMatchObject({ ok: true, waiting: 0, since: null });
  });
  expect(oscam.accepts('anna', 'geheim')).toBe(true);
  second.process.kill('SIGTERM');
  await second.ended;
  const said = [first, second].map((child) => child.output() + child.errors()).join('');
  expect(said).toContain('httpallowed');
  for (const secret of [oscam.settings.OSCAM_WEBIF_PASSWORD, 'geheim']) {
    expect(said).not.toContain(secret);
  }
});

test('what was written while the agent was away is read at its start', async () => {
  const oscam = await startTestOscam();
  const unasked = await startTestAgent({ dir: oscam.dir });
  await unasked.add('anna');
  await unasked.close();
  expect(oscam.names()).toEqual([]);
  await startAgentBeside(oscam);
  await eventually(() => expect(oscam.names()).toEqual(['anna']));
});

test('a restart of a read-only OSCam reads what was written before it', async () => {
  const oscam = await startTestOscam();
  oscam.faults.readOnly = true;
  const agent = await startAgentBeside(oscam);
  await agent.add('anna');
  await agent.call('POST', '/reload', {});
  expect(await agent.reload()).toMatchObject({ code: 'WEBIF_READ_ONLY', waiting: 1 });
  await oscam.restart();
  await eventually(async () => {
    expect(await agent.reload()).toMatchObject({ code: 'WEBIF_READ_ONLY', waiting: 0, names: [] });
  });
  expect(oscam.names()).toEqual(['anna']);
});

test('NOT_CONFIGURED: without a way to tell the card server nothing counts as waiting', async () => {
  const agent = await startTestAgent();
  const added = await agent.add('anna');
  expect(added.body).toEqual({ message: 'User added successfully', applied: false });
  const reload = await stateAt(agent.url);
  expect(reload).toMatchObject({
    by: null,
    ok: null,
    code: 'NOT_CONFIGURED',
    waiting: 0,
    names: [],
  });
  expect(reload.message).toMatch(/OSCAM_WEBIF_URL.*RELOAD_COMMAND/);
  const again = await agent.call('POST', '/reload', {});
  expect(again.body).toMatchObject({ applied: false, message: reload.message });
});

test('an agent stops although OSCam does not answer', async () => {
  const oscam = await startTestOscam();
  oscam.faults.isSilent = true;
  const agent = await startAgentBeside({ ...oscam, dir: temporaryFolder() });
  await eventually(() => expect(oscam.requests).toHaveLength(1));
  await agent.close();
});
