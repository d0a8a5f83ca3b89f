import { defaultPreferences } from '@linekeeper/contract/preferences.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';

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

  test('are complete before anything was chosen', async () => {
    const { client } = await panel.reseller();
    expect((await client.get(PATH)).body).toEqual(defaultPreferences);
  });

  test('keep what a change leaves out, and are of one account', async () => {
    const { client } = await panel.reseller();
    const other = await panel.reseller();
    await client.patch(PATH, { density: 'compact', saved_views: [view] });
    const changed = await client.patch(PATH, { language: 'pl', columns: ['notes', 'expiry'] });
    expect(changed.status).toBe(200);
    const expected = {
      ...defaultPreferences,
      density: 'compact',
      language: 'pl',
      columns: ['notes', 'expiry'],
      saved_views: [view],
    };
    expect(changed.body).toEqual(expected);
    expect((await client.get(PATH)).body).toEqual(expected);
    expect((await other.client.get(PATH)).body).toEqual(defaultPreferences);
    expect((await client.patch(PATH, { saved_views: [] })).body.saved_views).toEqual([]);
  });

  test('changed in two browsers at once lose neither', async () => {
    const { client } = await panel.reseller();
    await Promise.all([
      client.patch(PATH, { density: 'compact' }),
      client.patch(PATH, { shortcuts: false }),
      client.patch(PATH, { columns: [] }),
    ]);
    expect((await client.get(PATH)).body).toMatchObject({
      density: 'compact',
      shortcuts: false,
      columns: [],
    });
  });

  test.each([
    ['an unknown column', { columns: ['password', 'secret'] }],
    ['an unknown language', { language: 'fi' }],
    ['a view without a name', { saved_views: [{ name: ' ', search: {} }] }],
    ['a part of the address nobody knows', { saved_views: [{ name: 'a', search: { to: 'x' } }] }],
    ['too many views', { saved_views: Array.from({ length: 21 }, () => view) }],
    ['a part too long to keep', { saved_views: [{ name: 'a', search: { q: 'x'.repeat(201) } }] }],
  ])('refuse %s', async (_, body) => {
    const { status } = await panel.admin.patch(PATH, body);
    expect(status).toBe(422);
  });

  test('of which a part makes no sense any more stay usable', async () => {
    const { id, client } = await panel.reseller();
    const value = JSON.stringify({ density: 'compact', columns: ['gone'] });
    await panel.services.db
      .insertInto('account_settings')
      .values({ account_id: id, value })
      .execute();
    expect((await client.get(PATH)).body).toEqual({ ...defaultPreferences, density: 'compact' });
  });
});
