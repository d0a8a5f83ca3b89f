// @module-tag thorough
import { defaultPreferences, mailedNotices } from '@linekeeper/contract/lists/preferences.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { withEmptyDatabase } from '../../testing/database/empty-database.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { readPreferences } from './store.ts';

vi.setConfig({ testTimeout: 60_000 });

const PATH = '/api/me/settings';
const view = {
  name: 'Warsaw, expiring',
  search: { server: 'warsaw', expires: '7d', trial: 'true' },
};

describe.each(databases)('preferences on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(database);
  });
  afterAll(() => panel?.stop());

  test('keep what a change leaves out, and are of one account', async () => {
    const { client } = await panel.reseller();
    const other = await panel.reseller();
    await client.patch(PATH, { lists: { lines: { density: 'compact', views: [view] } } });
    await client.patch(PATH, { lists: { sync: { density: 'compact' } } });
    const changed = await client.patch(PATH, {
      language: 'pl',
      lists: { lines: { columns: ['notes', 'expiry'] } },
    });
    expect(changed.status).toBe(200);
    const expected = {
      ...defaultPreferences,
      language: 'pl',
      lists: {
        ...defaultPreferences.lists,
        lines: { density: 'compact', columns: ['notes', 'expiry'], views: [view] },
        sync: { ...defaultPreferences.lists.sync, density: 'compact' },
      },
    };
    expect(changed.body).toEqual(expected);
    expect((await client.get(PATH)).body).toEqual(expected);
    expect((await other.client.get(PATH)).body).toEqual(defaultPreferences);
    const emptied = await client.patch(PATH, { lists: { lines: { views: [] } } });
    expect(emptied.body.lists.lines.views).toEqual([]);
  });

  test('turning off mails one after the other leaves the others on', async () => {
    const { client } = await panel.reseller();
    await client.patch(PATH, { mails: { lines_expiring: false } });
    await client.patch(PATH, { mails: { low_balance: false } });
    expect((await client.get(PATH)).body.mails).toEqual({
      ...defaultPreferences.mails,
      lines_expiring: false,
      low_balance: false,
    });
  });

  test('changed in two browsers at once lose neither', async () => {
    const { client } = await panel.reseller();
    const views = [view];
    await Promise.all([
      client.patch(PATH, { lists: { lines: { density: 'compact' } } }),
      client.patch(PATH, { shortcuts: false }),
      client.patch(PATH, { lists: { lines: { columns: [] } } }),
      client.patch(PATH, { lists: { lines: { views } } }),
    ]);
    expect((await client.get(PATH)).body).toMatchObject({
      shortcuts: false,
      lists: { lines: { density: 'compact', columns: [], views } },
    });
  });

  // The rest is about permitted values, which do not depend on the database.
  if (database === 'embedded') return;

  test('are complete before anything was chosen', async () => {
    const { client } = await panel.reseller();
    expect((await client.get(PATH)).body).toEqual(defaultPreferences);
  });

  test('are kept of a list without columns, too', async () => {
    const { client } = await panel.reseller();
    const views = [{ name: 'Broken', search: { status: 'error' } }];
    const { status, body } = await client.patch(PATH, { lists: { servers: { views } } });
    expect(status).toBe(200);
    expect(body.lists.servers).toEqual({ ...defaultPreferences.lists.servers, views });
  });

  const inLines = (parts: object) => ({ lists: { lines: parts } });
  test.each([
    ['an unknown language', { language: 'fi' }],
    ['an unknown list', { lists: { gone: {} } }],
    ['an unknown column', inLines({ columns: ['expiry', 'secret'] })],
    ['a column of another list', inLines({ columns: ['attempts'] })],
    ['a column of a list that has none', { lists: { servers: { columns: ['expiry'] } } }],
    ['a view without a name', inLines({ views: [{ name: ' ', search: {} }] })],
    [
      'a part of the address nobody knows',
      inLines({ views: [{ name: 'a', search: { to: 'x' } }] }),
    ],
    ['too many views', inLines({ views: Array.from({ length: 21 }, () => view) })],
    [
      'a part too long to keep',
      inLines({ views: [{ name: 'a', search: { q: 'x'.repeat(201) } }] }),
    ],
    ['what was there before lists had names', { density: 'compact' }],
  ])('refuse %s', async (_, body) => {
    const { status } = await panel.admin.patch(PATH, body);
    expect(status).toBe(422);
  });

  /** Stores preferences as an earlier version did. */
  async function store(id: string, value: unknown) {
    await panel.services.db
      .insertInto('account_settings')
      .values({ account_id: id, value: JSON.stringify(value) })
      .execute();
  }

  test.each([
    ['a column that is gone', { density: 'compact', columns: ['gone'] }, { density: 'compact' }],
    // Until version 1.8, a list of lines had a column of passwords.
    [
      'one column of several',
      { columns: ['password', 'notes', 'expiry'] },
      { columns: ['notes', 'expiry'] },
    ],
    ['a density of its own', { density: 7, columns: ['notes'] }, { columns: ['notes'] }],
    [
      'one view of several, or a part of one',
      { views: [view, { name: 'Odd', search: { gone: 'x' } }, null, 'x', { search: {} }] },
      { views: [view, { name: 'Odd', search: {} }] },
    ],
    ['views that are none', { views: { 0: view } }, {}],
    ['a list that is none', 'compact', {}],
  ])('of which a part makes no sense any more stay usable: %s', async (_, stored, kept) => {
    const { id, client } = await panel.reseller();
    await store(id, { lists: { lines: stored, gone: {} }, gone: 1 });
    const expected = { ...defaultPreferences.lists.lines, ...kept };
    expect((await client.get(PATH)).body.lists.lines).toEqual(expected);
    const changed = await client.patch(PATH, inLines({ density: 'compact' }));
    expect(changed.body.lists.lines).toEqual({ ...expected, density: 'compact' });
  });
});

describe.each(databases)('preferences of before lists had names, on %s', (kind) => {
  const old = { density: 'compact', columns: ['notes', 'expiry'], saved_views: [view] };
  const stored: [what: string, before: unknown, after: unknown][] = [
    ['all of them', { ...old, language: 'pl' }, { language: 'pl', lists: { lines: moved(old) } }],
    ['one of them', { density: 'compact' }, { lists: { lines: { density: 'compact' } } }],
    ['none of them', { shortcuts: false }, { shortcuts: false }],
    ['nothing', {}, {}],
    [
      'what makes no sense, for the panel to judge',
      { density: null, columns: { odd: 1 }, saved_views: 'x', lists: [] },
      { lists: { lines: { density: null, columns: { odd: 1 }, views: 'x' } } },
    ],
    [
      'what stands under the new name already: it is newer',
      { ...old, lists: { sync: { density: 'compact' }, lines: { columns: [] } } },
      { lists: { sync: { density: 'compact' }, lines: { ...moved(old), columns: [] } } },
    ],
    ['a value that is none', [1], [1]],
  ];

  test('are kept by the update, whatever was stored', () =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0011_lost_accounts');
      const idOf = (number: number) => `01a1fd85-0000-7000-8000-00000000000${number}`;
      for (const [number, [, before]] of stored.entries()) {
        await sql`insert into auth_users (id, email, username, group_id)
          values (${idOf(number)}, ${`owner-${number}@panel.example`}, 'owner', '2')`.execute(db);
        await sql`insert into account_settings (account_id, value)
          values (${idOf(number)}, ${JSON.stringify(before)})`.execute(db);
      }
      await migrate(db);
      for (const [number, [what, , after]] of stored.entries()) {
        const { rows } = await sql<{ value: unknown }>`select value from account_settings
          where account_id = ${idOf(number)}`.execute(db);
        expect(rows, what).toEqual([{ value: after }]);
        expect(await readPreferences(db, idOf(number)), what).toMatchObject({
          mails: { lines_expiring: true },
        });
      }
    }));
});

describe.each(databases)('mails of before they were chosen one by one, on %s', (kind) => {
  const none = {
    lines_expiring: false,
    low_balance: false,
    server_error: false,
    backup_failed: false,
    new_account: false,
    top_ups: false,
    credits_added: false,
    credits_taken_back: false,
    contact_received: false,
    message: false,
    ticket_replies: false,
    new_tickets: false,
  };
  test.each([
    ['all', { mails: true, shortcuts: false }, { shortcuts: false }, defaultPreferences.mails],
    [
      'none',
      { mails: false, language: 'de' },
      { mails: none, language: 'de' },
      Object.fromEntries(mailedNotices.map(({ name }) => [name, false])),
    ],
    ['never chosen', { language: 'de' }, { language: 'de' }, defaultPreferences.mails],
  ])('%s stay so', (_, before, after, mails) =>
    withEmptyDatabase(kind, async (db) => {
      await migrate(db, '0020_account_figures');
      const id = '01a1fd85-0000-7000-8000-000000000001';
      await sql`insert into auth_users (id, email, username, group_id)
        values (${id}, 'owner@panel.example', 'owner', '2')`.execute(db);
      await sql`insert into account_settings (account_id, value)
        values (${id}, ${JSON.stringify(before)})`.execute(db);
      await migrate(db);
      const { rows } = await sql`select value from account_settings`.execute(db);
      expect(rows).toEqual([{ value: after }]);
      expect((await readPreferences(db, id)).mails).toEqual(mails);
    }),
  );
});

function moved({ saved_views, ...rest }: { saved_views: unknown }) {
  return { ...rest, views: saved_views };
}
