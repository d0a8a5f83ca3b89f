// @module-tag thorough

import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPanel } from '../../commands/panel.ts';
import { healClock } from '../../heal-clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { every } from './schedule.ts';
import { type ScheduledJob, sendDueJobs } from './scheduler.ts';

const INTERVAL_SECONDS = 600;

describe.each(databases)('scheduled jobs on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });
  afterAll(() => panel?.stop());

  const db = () => panel.services.db;
  const job = (name: string): ScheduledJob => ({
    name,
    when: every(INTERVAL_SECONDS),
    run: async () => {},
  });
  const schedule = (name: string, offset: string) =>
    sql`insert into schedules (name, next_at) values (${name}, now() + ${offset}::interval)
      on conflict (name) do update set next_at = excluded.next_at`.execute(db());
  const send = (...names: string[]) => sendDueJobs(panel.services, names.map(job));

  test('are queued once, however many panels look', async () => {
    await schedule('due', '-1 second');
    await schedule('not-due', '1 minute');
    const sent = await Promise.all([1, 2, 3, 4].map(() => send('due', 'not-due')));
    expect(sent.flat()).toEqual(['due']);
    expect(await send('due', 'not-due')).toEqual([]);
  });

  test('are due after the clock was set back, and not repeatedly after it was set forward', async () => {
    await schedule('ahead', '2 days');
    await healClock(panel.services);
    expect(await send('ahead')).toEqual(['ahead']);
    expect(await send('ahead')).toEqual([]);
    await schedule('behind', '-300 days');
    expect(await send('behind')).toEqual(['behind']);
    expect(await send('behind')).toEqual([]);
  });

  test('stay due if they could not be queued', async () => {
    await schedule('lost', '-1 second');
    const queue = panel.services.jobQueue;
    const broken = Object.create(queue, {
      send: { value: () => Promise.reject(new Error('no queue')) },
    });
    await expect(
      sendDueJobs({ ...panel.services, jobQueue: broken }, [job('lost')]),
    ).rejects.toThrow('no queue');
    expect(await send('lost')).toEqual(['lost']);
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
  const second = await startPanel(first.env, pino({ level: 'silent' }));
  const { db } = first.services;
  await first.reseller();
  await eventually(async () => {
    const made = await sql`update schedules set next_at = now() where name = 'seal'`.execute(db);
    expect(made.numAffectedRows).toBe(1n);
  });
  await eventually(async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from audit_log
        where id not in (select entry_id from audit_sealed)`.execute(db);
    expect(rows[0]?.count).toBe(0);
  });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pgboss.job where name = 'schedule'`.execute(db);
  expect(rows[0]?.count).toBe(1);
  await second.close();
  await first.stop();
});
