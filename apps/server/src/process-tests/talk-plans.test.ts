// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '../domain/context/access.ts';
import { countUnreadMessages } from '../domain/notices/messages.ts';
import { listMessages } from '../features/messages/store.ts';
import { countUnread, listNotifications } from '../features/notifications/store.ts';
import { countTickets, listTickets } from '../features/tickets/store.ts';
import { openPlans, type Plans } from '../testing/database/plans.ts';
import { seed, seededAccount } from '../testing/seed/lines.ts';
import { BUSY_ACCOUNT } from '../testing/seed/records.ts';
import { seedTalk } from '../testing/seed/talk.ts';

const ACCOUNTS = 2000;
const TICKETS = 2000;
const MESSAGES = 25_000;
/** Rows that a page reads, at most. It comes from several tables and from both sides of a union. */
const MOST_OF_A_PAGE = 1000;

let plans: Plans;

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
  plans = await openPlans(async (db) => {
    await seed(db, { accounts: ACCOUNTS, lines: ACCOUNTS });
    await seedTalk(db, { accounts: ACCOUNTS, tickets: TICKETS, messages: MESSAGES });
  });
});
afterAll(() => plans?.close());

/** The lists without a filter, as the panel requests them for its pages and badges. */
const pages: Record<string, (who: SignedIn, cursor?: string) => Promise<Page>> = {
  tickets: (who, cursor) =>
    listTickets(plans.recorder.db, who, { limit: 50, sort: '-updated_at', cursor }),
  'tickets by age': (who, cursor) =>
    listTickets(plans.recorder.db, who, { limit: 50, sort: 'created_at', cursor }),
  messages: (who, cursor) =>
    listMessages(plans.recorder.db, who, { limit: 50, sort: '-publish_at', cursor }),
  'messages, oldest first': (who, cursor) =>
    listMessages(plans.recorder.db, who, { limit: 50, sort: 'publish_at', cursor }),
  'the bell': ({ id }, cursor) => listNotifications(plans.recorder.db, id, { limit: 50, cursor }),
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
      const [rows] = await plans.touched(async () => {
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
    Number((await plans.pool.query(statement, [busy.id])).rows[0].count);
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
  const [, counted] = await plans.touched(() => first('messages', busy) as Promise<unknown>);
  expect(counted).toBeLessThanOrEqual(MESSAGES / 10);
});

test('badges read no more than their 100, and what was read in between', async () => {
  const [unread] = await plans.touched(() => countUnreadMessages(plans.recorder.db, busy.id));
  const [ring] = await plans.touched(() => countUnread(plans.recorder.db, busy.id));
  expect([unread, ring].every((rows) => rows && rows <= MOST_OF_A_PAGE)).toBe(true);
  const [counts] = await plans.touched(() => countTickets(plans.recorder.db, busy));
  expect(counts).toBeLessThanOrEqual(MOST_OF_A_PAGE);
});
