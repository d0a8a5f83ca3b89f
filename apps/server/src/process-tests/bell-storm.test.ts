// @module-tag thorough
import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_UNREAD } from '@linekeeper/contract/messages.ts';
import type { Notification } from '@linekeeper/contract/notifications.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectPostgres } from '../db/connect.ts';
import { transact } from '../db/transaction.ts';
import { notify } from '../domain/notices/notify.ts';
import { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { ADMIN } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  type PanelProcess,
  spawnPanel,
} from '../testing/process/process.ts';
import { size } from '../testing/size.ts';
import { openStream, type TestStream } from '../testing/wire/streams.ts';

const STORM = size(100, 1000);
const CUTS = size(5, 20);
/** Every fifth cut is between panel and database, and ends the streams of all browsers. */
const CUT_AT_DATABASE = 5;
const WRITERS = 5;
/** Notifications between the beginnings of two cuts, so that each cut is within the storm. */
const BATCH = STORM / CUTS;
const PAGE = 100;

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let connections: Connection[];
let panels: PanelProcess[];
let reader: { id: string; client: TestClient };

beforeAll(async () => {
  database = await makeMigratedDatabase('postgres');
  const url = database.env.DATABASE_URL ?? '';
  connections = await Promise.all(Array.from({ length: WRITERS }, () => connectPostgres(url)));
  const first = await spawnPanel({ ...database.env, ...FIRST_START });
  panels = [first, await spawnPanel(database.env)];
  const admin = new TestClient(first.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const person = { email: 'reader@panel.example', password: 'a reader of the bell' };
  const { body } = await admin.post('/api/accounts', { ...person, group_id: '3' });
  const client = new TestClient(first.url);
  await client.signIn(person.email, person.password);
  reader = { id: body.account.id, client };
});
afterAll(async () => {
  await endPanels();
  await Promise.all((connections ?? []).map((connection) => connection.close()));
  await database?.remove();
});

/** Follows the list as a browser does: reads it again only when a stream has opened and when an event requires it. */
function follow(client: TestClient) {
  const state = { listed: [] as Notification[], count: 0, cuts: 0, reads: 0 };
  let stream: TestStream | undefined;
  let [heard, read] = [0, 0];
  let isOver = false;

  async function readList(): Promise<Notification[]> {
    const items: Notification[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after = cursor && `&cursor=${cursor}`;
      const { status, body } = await client.get(`/api/notifications?limit=${PAGE}${after}`);
      expect(status).toBe(200);
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  }
  async function refetch(): Promise<void> {
    const upTo = heard;
    state.listed = await readList();
    state.count = (await client.get('/api/notifications/unread-count')).body.count;
    state.reads += 1;
    read = upTo;
  }
  async function connect(): Promise<void> {
    while (!isOver) {
      const opened = await openStream(client);
      expect(opened.status).toBe(200);
      stream = opened;
      heard += 1;
      await opened.ended;
      stream = undefined;
      state.cuts += 1;
    }
  }
  async function keep(): Promise<void> {
    let [own, seen] = [undefined as TestStream | undefined, 0];
    while (!isOver) {
      if (own !== stream) [own, seen] = [stream, 0];
      const told = own?.events.filter(({ table }) => table === 'notifications').length ?? 0;
      if (told > seen) [heard, seen] = [heard + 1, told];
      if (heard > read) await refetch();
      else await sleep(5);
    }
  }
  const running = Promise.all([connect(), keep()]);
  return {
    state,
    isOpen: () => stream?.isOpen() ?? false,
    cut: () => stream?.close(),
    stop: async () => {
      isOver = true;
      stream?.close();
      await running;
    },
  };
}

/** Cuts the connections over which both panels receive changes. */
const cutAtDatabase = (connection: Connection) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'linekeeper-live'`.execute(
    connection.db,
  );

const progress = { written: 0, cuts: 0 };

async function write(connection: Connection, writer: number): Promise<void> {
  for (let number = writer; number < STORM; number += WRITERS) {
    while (number >= (progress.cuts + 0.5) * BATCH) await sleep(2);
    await transact(connection.db, (tx) =>
      notify(tx, [
        {
          event: 'new_account',
          facts: { email: `storm-${number}@panel.example` },
          account_id: reader.id,
          link: '/accounts',
        },
      ]),
    );
    progress.written += 1;
    await sleep(Math.random() * 10);
  }
}

test(`${STORM} notifications from ${WRITERS} connections, ${CUTS} cuts: each is listed once on both panels`, async () => {
  const browsers = panels.map(({ url }) => follow(movedTo(url, reader.client)));
  await eventually(() => expect(browsers.every(({ isOpen }) => isOpen())).toBe(true));
  const storm = Promise.all(connections.map(write));
  for (let cut = 1; cut <= CUTS; cut++) {
    await eventually(() => expect(progress.written).toBeGreaterThanOrEqual((cut - 1) * BATCH));
    const before = browsers.map(({ state }) => state.cuts);
    progress.cuts = cut;
    // Streams end when the panels receive changes again, including the changes that were missed.
    if (cut % CUT_AT_DATABASE === 0) await cutAtDatabase(connections[0] as Connection);
    else for (const browser of browsers) browser.cut();
    await eventually(() => {
      const after = browsers.map(({ state }) => state.cuts);
      expect(after.every((cuts, index) => cuts > (before[index] ?? 0))).toBe(true);
      expect(browsers.every(({ isOpen }) => isOpen())).toBe(true);
    });
  }
  await storm;

  const expected = Array.from({ length: STORM }, (_, n) => `New account: storm-${n}@panel.example`);
  for (const { state } of browsers) {
    // The client never reads the list without an event, so an item that is missing was never announced.
    await eventually(() => expect(state.listed).toHaveLength(STORM));
    expect(state.listed.map(({ title }) => title).sort()).toEqual(expected.toSorted());
    expect(new Set(state.listed.map(({ id }) => id)).size).toBe(STORM);
    await eventually(() => expect(state.count).toBe(Math.min(STORM, MOST_UNREAD + 1)));
    expect(state.reads).toBeLessThan(STORM + 2 * CUTS);
  }

  // Both badges change when the messages are read on one panel.
  await movedTo(panels[0]?.url ?? '', reader.client).post('/api/notifications/read-all');
  for (const { state } of browsers) await eventually(() => expect(state.count).toBe(0));
  await Promise.all(browsers.map(({ stop }) => stop()));
});
