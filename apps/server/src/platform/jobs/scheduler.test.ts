// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  databases,
  startSecondPanel,
  startTestPanel,
  type TestPanel,
} from '../../testing/panel.ts';
import { LEASE_SECONDS } from './claim-loop.ts';
import { every } from './schedule.ts';
import { claimDue, type ScheduledJob, scheduleLoop } from './scheduler.ts';

const INTERVAL_SECONDS = 600;

describe.each(databases)('scheduled jobs on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });

  const db = () => panel.services.db;
  const job = (name: string, run: ScheduledJob['run'] = async () => {}): ScheduledJob => ({
    name,
    when: every(INTERVAL_SECONDS),
    run,
  });
  const schedule = (name: string, offset: string) =>
    sql`insert into schedules (name, next_at) values (${name}, now() + ${offset}::interval)
      on conflict (name) do update set next_at = excluded.next_at`.execute(db());
  const claim = async (...names: string[]) =>
    (
      await claimDue(
        db(),
        names.map((name) => job(name)),
      )
    ).map((claimed) => claimed.job.name);
  const standing = (name: string) =>
    db()
      .selectFrom('schedules')
      .select([
        'attempts',
        'done_at',
        sql<number>`extract(epoch from next_at - now())::float8`.as('seconds'),
      ])
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
  const begin = (one: ScheduledJob) => {
    const loop = scheduleLoop({ ...panel.services, log: { error: () => {} } }, [one]);
    loop.start();
    return loop;
  };

  test('are claimed once, however many panels look', async () => {
    await schedule('due', '-1 second');
    await schedule('not-due', '1 minute');
    const claimed = await Promise.all([1, 2, 3, 4].map(() => claim('due', 'not-due')));
    expect(claimed.flat()).toEqual(['due']);
    expect(await claim('due', 'not-due')).toEqual([]);
  });

  test('are due after the clock was set back, and not repeatedly after it was set forward', async () => {
    await schedule('ahead', '2 days');
    await healClock(panel.services);
    expect(await claim('ahead')).toEqual(['ahead']);
    expect(await claim('ahead')).toEqual([]);
    await schedule('behind', '-300 days');
    expect(await claim('behind')).toEqual(['behind']);
    expect(await claim('behind')).toEqual([]);
  });

  test('are taken up by another panel once the lease of a dead one has run out', async () => {
    await schedule('left', '-1 second');
    expect(await claim('left')).toEqual(['left']);
    expect((await standing('left')).seconds).toBeLessThanOrEqual(LEASE_SECONDS);
    await schedule('left', '0 seconds');
    expect(await claim('left')).toEqual(['left']);
  });

  test('that fail are tried again after growing pauses, and wait for their interval in the end', async () => {
    const failing = job('failing', () => Promise.reject(new Error('no')));
    for (const [attempts, seconds, left] of [
      [0, 60, 1],
      [2, 240, 3],
      [6, INTERVAL_SECONDS, 0],
    ] as const) {
      await schedule('failing', '-1 second');
      await db().updateTable('schedules').set({ attempts }).where('name', '=', 'failing').execute();
      const loop = begin(failing);
      await eventually(async () =>
        expect((await standing('failing')).seconds).toBeGreaterThan(LEASE_SECONDS),
      );
      await loop.stop();
      const after = await standing('failing');
      expect(after.attempts).toBe(left);
      expect(Math.ceil(after.seconds / 60) * 60).toBe(seconds);
    }
  });

  test('that are made up for are given up after the last attempt, until their next moment', async () => {
    const failing: ScheduledJob = {
      name: 'moment',
      when: { kind: 'hourly' },
      run: () => Promise.reject(new Error('no')),
    };
    await sql`insert into schedules (name, next_at, attempts) values ('moment', now(), 5)`.execute(
      db(),
    );
    const first = begin(failing);
    await eventually(async () =>
      expect(await standing('moment')).toMatchObject({ attempts: 6, done_at: null }),
    );
    await first.stop();
    await schedule('moment', '-1 second');
    const second = begin(failing);
    await eventually(async () => expect((await standing('moment')).done_at).not.toBeNull());
    await second.stop();
  });

  test('that are stopped are due at once for another panel', async () => {
    await schedule('stopped', '-1 second');
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const loop = begin(
      job('stopped', async ({ stopping }) => {
        resolve();
        await new Promise((ended) => stopping.addEventListener('abort', ended));
        stopping.throwIfAborted();
      }),
    );
    await begun;
    await loop.stop();
    expect(await claim('stopped')).toEqual(['stopped']);
  });

  test('seal, tidy and remind, each after its interval', async () => {
    const names = async () =>
      (await db().selectFrom('schedules').select('name').orderBy('name').execute()).map(
        ({ name }) => name,
      );
    await eventually(async () =>
      expect(await names()).toEqual(expect.arrayContaining(['remind', 'seal', 'tidy'])),
    );
    const seals = async () =>
      (await db().selectFrom('audit_seals').select('number').execute()).length;
    expect(await seals()).toBe(0);
    await panel.reseller();
    await schedule('seal', '-1 second');
    await eventually(async () => expect(await seals()).toBeGreaterThan(0));
    const sealed = await db().selectFrom('credit_seals').select('number').execute();
    expect(sealed.length).toBeGreaterThan(0);
  });
});

test('a scheduled job is done once where two panels stand side by side', async () => {
  const first = await startTestPanel('postgres');
  const second = await startSecondPanel(first);
  const { db } = first.services;
  await sql`insert into schedules (name, next_at) values ('once', now())`.execute(db);
  let runs = 0;
  const once: ScheduledJob = {
    name: 'once',
    when: every(INTERVAL_SECONDS),
    run: async () => void runs++,
  };
  const loops = [first, second].map(({ services }) => scheduleLoop(services, [once]));
  for (const loop of loops) loop.start();
  await eventually(() => expect(runs).toBe(1));
  for (const loop of loops) await loop.stop();
  expect(runs).toBe(1);
});
