import { expect, test } from 'vitest';
import { basic, eventually, startTestAgent, temporaryFolder } from './testing.ts';

/** Starts an agent whose clock the test can set, with some lines, one of which ends on the 28th. */
async function startAt(moment: string, dir = temporaryFolder()) {
  let now = new Date(moment);
  const agent = await startTestAgent({ dir, now: () => now, checkEveryMs: 10 });
  return {
    ...agent,
    set: (at: string) => {
      now = new Date(at);
    },
    /** Sends GET / as a panel does. */
    async ask(day: string): Promise<Record<string, unknown>> {
      const headers = { authorization: basic(), 'panel-day': day };
      return (await (await fetch(`${agent.url}/`, { headers })).json()) as Record<string, unknown>;
    },
    names: () => [...agent.text('oscam.user').matchAll(/^user = (.*)$/gm)].map(([, name]) => name),
  };
}

const DAY = '2026-11-28';

async function startAgreed() {
  const agent = await startAt(`${DAY}T12:00:00Z`);
  expect(await agent.ask(DAY)).toMatchObject({ day: DAY, held_day: null });
  await agent.add('ends', 'pw', '28-11-2026');
  await agent.add('goes-on', 'pw', '31-12-2027');
  return agent;
}

test('from day to day lines end, whatever time the panel needs to say its own day', async () => {
  const agent = await startAgreed();
  for (const day of ['29', '30']) {
    agent.set(`2026-11-${day}T12:00:00Z`);
    await eventually(() => expect(agent.names()).toEqual(['goes-on']));
    expect(await agent.ask('2026-11-29')).toMatchObject({ held_day: null });
  }
});

test('a clock that jumps ends nobody, even if the panel’s does too, until it is confirmed', async () => {
  const agent = await startAgreed();
  agent.set('2030-01-01T12:00:00Z');
  await agent.add('new', 'pw', '31-12-2027');
  const held = { day: '2030-01-01', held_day: DAY };
  expect(await agent.ask('2030-01-01')).toMatchObject(held);
  expect(await agent.ask(DAY)).toMatchObject(held);
  expect(agent.names()).toEqual(['ends', 'goes-on', 'new']);
  // A start of the agent does not accept the new date either.
  await agent.close();
  const again = await startAt('2030-01-01T12:00:00Z', agent.dir);
  expect(await again.ask('2030-01-01')).toMatchObject(held);
  expect(again.names()).toEqual(['ends', 'goes-on', 'new']);

  const wrong = await again.call('POST', '/confirm-day', { day: '2030-01-02' });
  expect(wrong.status).toBe(409);
  const { status } = await again.call('POST', '/confirm-day', { day: '2030-01-01' });
  expect(status).toBe(200);
  expect(again.names()).toEqual([]);
  expect(await again.ask('2030-01-01')).toMatchObject({ held_day: null });
});

test('a clock that is set right again needs no confirmation, and brings nobody back meanwhile', async () => {
  const agent = await startAgreed();
  agent.set('2026-11-29T00:00:01Z');
  await eventually(() => expect(agent.names()).toEqual(['goes-on']));
  agent.set('1970-01-01T00:00:00Z');
  expect(await agent.ask('2026-11-29')).toMatchObject({ held_day: '2026-11-29' });
  await agent.add('new', 'pw', '31-12-2027');
  expect(agent.names()).toEqual(['goes-on', 'new']);
  agent.set('2026-11-30T12:00:00Z');
  expect(await agent.ask('2026-11-30')).toMatchObject({ held_day: null });
});

test('a first day that the panel does not have ends nobody', async () => {
  const agent = await startAt('2030-01-01T12:00:00Z');
  expect(await agent.ask(DAY)).toMatchObject({ held_day: DAY });
  await agent.add('goes-on', 'pw', '31-12-2027');
  expect(agent.names()).toEqual(['goes-on']);
});

test('zones that are a day apart are no difference', async () => {
  const agent = await startAgreed();
  expect(await agent.ask('2026-11-27')).toMatchObject({ held_day: null });
  expect(await agent.ask('2026-11-29')).toMatchObject({ held_day: null });
  expect(await agent.ask('2026-11-30')).toMatchObject({ held_day: null });
});
