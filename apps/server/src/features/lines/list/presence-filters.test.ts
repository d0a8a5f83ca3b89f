import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeSessions } from '../../../domain/presence/collect-presence.ts';
import { storeLines, storeTaken } from '../../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('who is on, in the list of lines on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;

  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 0 });
    const [says, silent, away] = [await addServer(), await addServer(), await addServer()];
    const today = panel.services.today();
    const { db } = panel.services;
    const old = { added_date: addDays(today, -10) };
    const lines = {
      [says]: [
        { username: 'on-1', ...old },
        { username: 'on-2', ...old },
        { username: 'off-1', ...old },
        { username: 'off-2', ...old },
        { username: 'never-new', added_date: today },
        { username: 'never-old', ...old },
        { username: 'never-over', ...old, expiry_date: '2020-01-01' },
      ],
      [silent]: [{ username: 'silent', ...old }],
      [away]: [
        { username: 'away-on', ...old },
        { username: 'away-never', ...old },
      ],
    };
    for (const [server, rows] of Object.entries(lines)) {
      await storeLines(db, seller.id, server, rows);
      await storeTaken(db, server);
    }
    await store(away, ['away-on']);
    await store(says, ['on-1', 'on-2', 'off-1', 'off-2']);
    await db
      .updateTable('server_presence')
      .set({ read_at: sql`now() - interval '3 days'` })
      .where('server_id', 'in', [says, away])
      .execute();
    await store(says, ['on-1', 'on-2', 'off-2']);
    await db
      .updateTable('server_presence')
      .set({ read_at: sql`now() - interval '1 hour'` })
      .where('server_id', '=', says)
      .execute();
    await store(says, ['on-1', 'on-2']);
    return () => panel.stop();
  });

  async function addServer(): Promise<string> {
    const row = { host_ip: '10.1.2.3', port: 12000, username: 'panel', password: 'secret' };
    const { body } = await panel.admin.post('/api/servers', { ...row, server_name: 'S' });
    return body.server.id;
  }
  const store = (id: string, names: string[]) =>
    storeSessions(
      panel.services,
      { id },
      {
        ok: true,
        card_server: null,
        started_at: null,
        accounts: names.map((username) => ({
          username,
          connections: 1,
          sessions: [],
          counters: null,
          answer_ms: null,
        })),
      },
    );
  async function found(query: string): Promise<string[]> {
    const { status, body } = await seller.client.get(`/api/lines?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.total).toBe(body.items.length);
    return body.items.map(({ username }: { username: string }) => username);
  }

  test.each([
    ['presence=online', ['on-1', 'on-2']],
    ['presence=offline', ['never-new', 'never-old', 'never-over', 'off-1', 'off-2']],
    ['presence=unknown', ['away-never', 'away-on', 'silent']],
    ['presence=online,unknown', ['away-never', 'away-on', 'on-1', 'on-2', 'silent']],
    ['seen_within=1', ['away-on', 'off-2', 'on-1', 'on-2']],
    ['never_connected=true', ['away-never', 'never-new', 'never-old', 'never-over']],
    ['never_connected=true&sold_for=3', ['away-never', 'never-old', 'never-over']],
    ['never_connected=true&sold_for=3&status=active', ['away-never', 'never-old']],
    ['never_connected=false&presence=offline', ['off-1', 'off-2']],
  ])('finds by %s', async (query, names) => {
    expect(await found(`${query}&sort=username`)).toEqual(names);
  });

  test('shows of each since when, and of a server that does not say since when not', async () => {
    const { body } = await seller.client.get('/api/lines?limit=100');
    const stateOf = Object.fromEntries(
      body.items.map(({ username, presence }: { username: string; presence: unknown }) => [
        username,
        presence,
      ]),
    );
    const moment = expect.any(String);
    expect(stateOf).toMatchObject({
      'on-1': { state: 'online', since: moment, last_seen_at: moment },
      'off-1': { state: 'offline', since: moment, last_seen_at: moment },
      'never-old': { state: 'offline', since: null, last_seen_at: null },
      'away-on': { state: 'unknown', since: moment, last_seen_at: moment },
      'away-never': { state: 'unknown', since: moment, last_seen_at: null },
      silent: { state: 'unknown', since: null, last_seen_at: null },
    });
  });

  test('counts those who are on, and those who were sold and never came', async () => {
    expect((await seller.client.get('/api/lines/counts')).body).toMatchObject({
      online: 2,
      never_connected: 2,
    });
    const choices = await seller.client.get('/api/lines/counts/choices');
    expect(choices.body).toMatchObject({ presence: { online: 2 } });
    const stranger = await panel.reseller();
    expect((await stranger.client.get('/api/lines/counts')).body).toMatchObject({ online: 0 });
  });

  test.each([1, 2, 3, 6, 7, 9, 10, 100])(
    'puts those who are on first, in pages of %i',
    async (limit) => {
      const walk = async (sort: string) => {
        const names: string[] = [];
        let cursor = '';
        for (let pages = 0; pages < 12; pages++) {
          const { body } = await seller.client.get(
            `/api/lines?limit=${limit}&sort=${sort}${cursor}`,
          );
          names.push(...body.items.map(({ username }: { username: string }) => username));
          expect(body.items.length).toBeGreaterThan(0);
          if (!cursor) expect(body).toMatchObject({ total: 10, total_is_exact: true });
          if (body.next_cursor === null) return names;
          cursor = `&cursor=${body.next_cursor}`;
        }
        throw new Error('the pages never end');
      };
      const first = await walk('-last_seen');
      expect(new Set(first).size).toBe(10);
      expect(first.slice(0, 3).sort()).toEqual(['away-on', 'on-1', 'on-2']);
      expect(first.slice(3, 6)).toEqual(['off-2', 'off-1', 'never-new']);
      expect(await walk('last_seen')).toEqual(first.toReversed());
      const file = await seller.client.get('/api/lines/csv?sort=-last_seen');
      expect(
        String(file.body)
          .split('\n')
          .slice(4, 6)
          .map((row: string) => row.split(',')[0]),
      ).toEqual(['"off-2"', '"off-1"']);
    },
  );

  test('refuses forged pages', async () => {
    for (const parts of [
      ['-added_date', '2026-01-01'],
      ['-never_seen', 'x'],
      ['never_seen', 'x'],
    ]) {
      const cursor = Buffer.from(JSON.stringify([...parts, crypto.randomUUID()])).toString(
        'base64url',
      );
      expect(await seller.client.get(`/api/lines?sort=-last_seen&cursor=${cursor}`)).toMatchObject({
        status: 422,
        body: { code: 'INVALID_CURSOR' },
      });
    }
  });
});
