import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../db/connect.ts';
import { openDatabase } from '../testing/database/open-database.ts';
import { makeDatabase } from '../testing/panel.ts';
import { Refusal } from './errors/refusal.ts';
import { deleteEndedWindows, enforceLimit, type Limit, releaseLimit } from './rate-limit.ts';

const limit: Limit = { scope: 'test', failures: 3, window_seconds: 60 };
let connection: Connection;
let subject: string;
beforeAll(async () => {
  const { env } = await makeDatabase('postgres');
  connection = await openDatabase(env);
});
beforeEach(() => {
  subject = crypto.randomUUID();
});

/** Seconds to wait; 0 if the attempt is allowed. */
async function tryOnce(name = subject, of = limit): Promise<number> {
  try {
    await enforceLimit(connection.db, of, name);
    return 0;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return (error as Refusal).retryAfter ?? -1;
  }
}

/** Moves the start of the window back by this many seconds. */
const pass = (seconds: number, name = subject) =>
  sql`update rate_limits set window_ends_at = window_ends_at - make_interval(secs => ${seconds})
    where subject = ${name}`.execute(connection.db);

test('as many as allowed may go on; the next waits for the end of the window', async () => {
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  const wait = await tryOnce();
  expect(wait).toBeGreaterThan(50);
  expect(wait).toBeLessThanOrEqual(60);
  await pass(40);
  const later = await tryOnce();
  expect(later).toBeGreaterThan(10);
  expect(later).toBeLessThanOrEqual(20);
});

test('trying on while refused does not prolong the window', async () => {
  for (let time = 1; time <= 20; time++) await tryOnce();
  await pass(61);
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  expect(await tryOnce()).toBeGreaterThan(0);
});

test('windows that have ended are deleted, and no others', async () => {
  const subjects = async () =>
    (await connection.db.selectFrom('rate_limits').select('subject').execute()).map(
      (row) => row.subject,
    );
  await tryOnce();
  await deleteEndedWindows(connection.db);
  expect(await subjects()).toContain(subject);
  await pass(61);
  await deleteEndedWindows(connection.db);
  expect(await subjects()).not.toContain(subject);
});

test('an attempt that is forgiven does not count', async () => {
  for (let time = 1; time <= 10; time++) {
    expect(await tryOnce()).toBe(0);
    await releaseLimit(connection.db, limit, subject);
  }
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  expect(await tryOnce()).toBeGreaterThan(0);
});

test('forgiving more often than attempting does not raise the limit', async () => {
  for (let time = 1; time <= 5; time++) await releaseLimit(connection.db, limit, subject);
  await tryOnce();
  for (let time = 1; time <= 5; time++) await releaseLimit(connection.db, limit, subject);
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  expect(await tryOnce()).toBeGreaterThan(0);
});

test('forty concurrent attempts do not exceed the limit', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => tryOnce()));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
});

test('other subjects, and the same subject in another scope, are not affected', async () => {
  for (let time = 1; time <= 4; time++) await tryOnce();
  expect(await tryOnce(`${subject} 10.0.0.1`)).toBe(0);
  expect(await tryOnce(subject, { ...limit, scope: 'elsewhere' })).toBe(0);
});

test('tidying up forgets ended windows and no others', async () => {
  for (let time = 1; time <= 4; time++) await tryOnce();
  await tryOnce('ended');
  await pass(61, 'ended');
  await deleteEndedWindows(connection.db);
  expect(await tryOnce()).toBeGreaterThan(0);
  const left = await connection.db.selectFrom('rate_limits').select('subject').execute();
  expect(left.map((row) => row.subject)).not.toContain('ended');
});
