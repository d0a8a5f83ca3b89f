import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connectPostgres } from '../db/connect.ts';
import { makeDatabase } from '../testing/panel.ts';
import { countAttempt, deleteEndedWindows, forgive, type Limit } from './rate-limit.ts';
import { Refusal } from './refusal.ts';

const limit: Limit = { scope: 'test', failures: 3, window_seconds: 60 };
let database: Awaited<ReturnType<typeof makeDatabase>>;
let connection: Connection;
let subject: string;
beforeAll(async () => {
  database = await makeDatabase('postgres');
  connection = await connectPostgres(database.env.DATABASE_URL ?? '');
});
afterAll(async () => {
  await connection?.close();
  await database?.remove();
});
beforeEach(() => {
  subject = crypto.randomUUID();
});

/** Seconds to wait, or 0 where the attempt may go on. */
async function tryOnce(name = subject, of = limit): Promise<number> {
  try {
    await countAttempt(connection.db, of, name);
    return 0;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return (error as Refusal).retryAfter ?? -1;
  }
}

/** Lets the window of `name` begin so many seconds earlier. */
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

test('an attempt that was none is given back', async () => {
  for (let time = 1; time <= 10; time++) {
    expect(await tryOnce()).toBe(0);
    await forgive(connection.db, limit, subject);
  }
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  expect(await tryOnce()).toBeGreaterThan(0);
});

test('nothing is given back beyond what was taken', async () => {
  for (let time = 1; time <= 5; time++) await forgive(connection.db, limit, subject);
  await tryOnce();
  for (let time = 1; time <= 5; time++) await forgive(connection.db, limit, subject);
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([0, 0, 0]);
  expect(await tryOnce()).toBeGreaterThan(0);
});

test('forty at once do not pass together', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => tryOnce()));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
});

test('others, and the same one elsewhere, are not held up', async () => {
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
