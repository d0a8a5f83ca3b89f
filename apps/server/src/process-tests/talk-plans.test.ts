import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '../core/access.ts';
import { countUnreadMessages } from '../core/messages.ts';
import { connectPostgres } from '../db/connect.ts';
import { listMessages } from '../features/messages/store.ts';
import { countUnread, listNotifications } from '../features/notifications/store.ts';
import { countTickets, listTickets } from '../features/tickets/store.ts';
import { openRecorder, type Recorder, rowsTouched } from '../testing/database/statements.ts';
import { makeMigratedDatabase } from '../testing/process.ts';
import { seed, seededAccount } from '../testing/seed/lines.ts';
import { BUSY_ACCOUNT } from '../testing/seed/records.ts';
import { seedTalk } from '../testing/seed/talk.ts';

const ACCOUNTS = 2000;
const TICKETS = 2000;
const MESSAGES = 25_000;
/** A page is read from several tables and from both sides of a union. */
const MOST_OF_A_PAGE = 1000;

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let recorder: Recorder;
let pool: pg.Pool;

const actor = (number: number): SignedIn => ({
  id: seededAccount(number),
  email: '',
  group_id: number === 1 ? '1' : '2',
  is_admin: number === 1,
  permissions: ['view_users', 'add_credits'],
});
const admin = actor(1);
const busy = actor(BUSY_ACCOUNT);

beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  const url = database.env.DATABASE_URL ?? '';
  const connection = await connectPostgres(url);
  await seed(connection.db, { accounts: ACCOUNTS, lines: ACCOUNTS });
  await seedTalk(connection.db, { accounts: ACCOUNTS, tickets: TICKETS, messages: MESSAGES });
  await connection.close();
  recorder = openRecorder(url);
  pool = new pg.Pool({ connectionString: url });
  // Connections may still be closing when the database is dropped.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await pool?.end();
  await recorder?.close();
  await database?.remove();
});

async function touched(work: () => Promise<unknown>): Promise<number[]> {
  const statements = await recorder.record(work);
  return Promise.all(statements.map((statement) => rowsTouched(pool, statement)));
}

/** The lists without a filter, as a badge's number or the panel's pages first ask for them. */
const pages: Record<string, (who: SignedIn, cursor?: string) => Promise<Page>> = {
  tickets: (who, cursor) =>
    listTickets(recorder.db, who, { limit: 50, sort: '-updated_at', cursor }),
  'tickets by age': (who, cursor) =>
    listTickets(recorder.db, who, { limit: 50, sort: 'created_at', cursor }),
  messages: (who, cursor) =>
    listMessages(recorder.db, who, { limit: 50, sort: '-publish_at', cursor }),
  'messages, oldest first': (who, cursor) =>
    listMessages(recorder.db, who, { limit: 50, sort: 'publish_at', cursor }),
  'the bell': ({ id }, cursor) => listNotifications(recorder.db, id, { limit: 50, cursor }),
};
interface Page {
  items: { id: string }[];
  next_cursor: string | null;
  total: number | null;
}

describe.each(Object.entries(pages))('%s', (_, read) => {
  test.each([
    ['an administrator', admin],
    ['the busiest account', busy],
  ])('are read for %s without reading them all, page after page', async (__, who) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= 3; page++) {
      const [rows] = await touched(async () => {
        const { items, next_cursor } = await read(who, cursor);
        seen.push(...items.map(({ id }) => id));
        expect(next_cursor === null).toBe(items.length < 50);
        cursor = next_cursor ?? undefined;
      });
      expect(rows).toBeLessThanOrEqual(MOST_OF_A_PAGE);
      if (!cursor) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
  });
});

test('totals are those of all that the account sees; nobody counts the bell', async () => {
  const count = async (statement: string) =>
    Number((await pool.query(statement, [busy.id])).rows[0].count);
  const first = (list: string, who: SignedIn) => pages[list]?.(who).then(({ total }) => total);
  expect(await first('tickets', admin)).toBe(TICKETS);
  expect(await first('tickets', busy)).toBe(
    await count('select count(*) from tickets where user_id = $1'),
  );
  expect(await first('messages', admin)).toBe(10_000);
  expect(await first('messages', busy)).toBe(
    await count('select count(*) from messages where is_global or recipient_id = $1'),
  );
  expect(await first('the bell', busy)).toBe(null);
  const [, counted] = await touched(() => first('messages', busy) as Promise<unknown>);
  expect(counted).toBeLessThanOrEqual(MESSAGES / 10);
});

test('badges read no more than their 100, and what was read in between', async () => {
  const [unread] = await touched(() => countUnreadMessages(recorder.db, busy.id));
  const [ring] = await touched(() => countUnread(recorder.db, busy.id));
  expect([unread, ring].every((rows) => rows && rows <= MOST_OF_A_PAGE)).toBe(true);
  const [counts] = await touched(() => countTickets(recorder.db, busy));
  expect(counts).toBeLessThanOrEqual(MOST_OF_A_PAGE);
});
