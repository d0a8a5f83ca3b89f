import { addMonths } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionsRead } from '../../../domain/machines/card-server/driver.ts';
import { storeSessions } from '../../../domain/presence/collect-presence.ts';
import { healClock } from '../../../heal-clock.ts';
import {
  type SellersShop,
  type Sold,
  startSellersShop,
} from '../../../testing/accounts/sellers-shop.ts';
import { eventually } from '../../../testing/eventually.ts';
import { readServerFiles, storeLines } from '../../../testing/lines.ts';
import type { TestAccount, TestAgent, TestPanel } from '../../../testing/panel.ts';
import { endSuspensions, suspendShared } from './suspend-shared.ts';

let panel: TestPanel;
let agent: TestAgent;
let server: string;
let seller: TestAccount;
let sell: SellersShop['sell'];
let read: SellersShop['read'];
beforeAll(async () => {
  const shop = await startSellersShop('shared');
  ({ panel, agent, serverId: server, seller, sell, read } = shop);
  return shop.stop;
});
const set = (changes: object) => panel.admin.patch('/api/settings', changes);
beforeEach(() =>
  set({ sharing_connections: 1, sharing_suspend_hours: 0, kept_addresses: 'network' }),
);

const isServed = async (name: string) =>
  (await readServerFiles(agent)).cccam.includes(`F: ${name} `);
const noticesOf = async (client = seller.client) =>
  (await client.get('/api/notifications')).body.items as { title: string; content: string }[];
const noticesAbout = async ({ username }: Sold, client = seller.client) =>
  (await noticesOf(client)).filter(({ title }) => title.includes(username));

/** Stores all data of a reading that was made some minutes ago. */
async function pass(minutes: number): Promise<void> {
  const { db } = panel.services;
  const earlier = (path: string) => sql`to_char((over_limit ->> ${path})::timestamptz
    - make_interval(mins => ${minutes}), 'YYYY-MM-DD"T"HH24:MI:SS.MSOF":00"')`;
  await sql`update line_presence set over_limit = over_limit || jsonb_build_object(
    'since', ${earlier('since')}, 'at', ${earlier('at')}) where over_limit is not null`.execute(db);
  await sql`update server_presence set read_at = read_at - make_interval(mins => ${minutes})`.execute(
    db,
  );
}

const HOMES = ['198.51.100.7', '203.0.113.5'];

/** Stores readings, one for each minute, in which the line is online from these addresses. */
async function watch({ username }: Sold, minutes: number, addresses = HOMES): Promise<void> {
  const said: SessionsRead = {
    ok: true,
    card_server: 'OSCam 2.26',
    started_at: null,
    accounts: [
      {
        username,
        connections: addresses.length,
        sessions: addresses.map((address) => ({ protocol: 'cccam', address, since: null })),
        counters: null,
        answer_ms: null,
      },
    ],
  };
  for (let minute = 0; minute < minutes; minute++) {
    await pass(1);
    await storeSessions(panel.services, { id: server }, said);
  }
  await suspendShared(panel.services, () => false);
}

/** Sells a line that the panel then suspends. */
async function suspendedLine(hours = 24, client = seller.client): Promise<Sold> {
  await set({ sharing_suspend_hours: hours });
  const line = await sell(client);
  await watch(line, 10);
  await eventually(async () => expect((await read(line.id)).suspension).not.toBeNull());
  return line;
}
const bring = (id: string, until: string) =>
  sql`update users set suspension = suspension || jsonb_build_object('until', ${until}::text)
    where id = ${id}`.execute(panel.services.db);
const end = () => endSuspensions(panel.services, () => false);
const PAST = '2026-01-01T00:00:00.000Z';

describe('two homes at once', () => {
  test.each(['network', 'none'])(
    'are told to the owner once, with the facts; kept: %s',
    async (kept_addresses) => {
      await set({ kept_addresses });
      const line = await sell();
      await watch(line, 20);
      expect(await noticesAbout(line)).toMatchObject([
        {
          title: `${line.username} is online from several networks`,
          content:
            'For several minutes, the line was online from 2 networks with 2 connections at the same time. Allowed networks: 1.',
        },
      ]);
      expect((await read(line.id)).suspension).toBeNull();
      const { body: usage } = await seller.client.get(`/api/lines/${line.id}/usage`);
      expect(usage.sharing).toMatchObject({
        connections: 2,
        networks: 2,
        allowed: 1,
        times: 1,
        suspended_until: null,
      });
      const kept = await panel.services.db
        .selectFrom('line_presence')
        .select(['over_limit', 'sharing'])
        .where('line_id', '=', line.id)
        .executeTakeFirstOrThrow();
      expect(kept.sharing?.notes).toMatchObject([{ networks: 2, connections: 2, allowed: 1 }]);
      expect(JSON.stringify(kept)).not.toMatch(/198\.51|203\.0/);
    },
  );

  test('are nothing where the settings allow two, or the line may be shared', async () => {
    await set({ sharing_connections: 2 });
    const line = await sell();
    await watch(line, 12);
    await set({ sharing_connections: 1 });
    const exempt = await sell();
    const { status } = await panel.admin.patch(`/api/lines/${exempt.id}`, { sharing_exempt: true });
    expect(status).toBe(200);
    await watch(exempt, 12);
    expect([await noticesAbout(line), await noticesAbout(exempt)]).toEqual([[], []]);
  });

  test('that are one network, and one for a moment, are nothing', async () => {
    const line = await sell();
    await watch(line, 12, ['198.51.100.7', '198.51.100.99']);
    await watch(line, 3);
    await watch(line, 12, ['203.0.113.5']);
    expect(await noticesAbout(line)).toEqual([]);
  });
});

describe('suspended by setting', () => {
  test('for some hours: off its server, told, audited as the panel’s act, and back by itself', async () => {
    const line = await suspendedLine(24);
    const shown = await read(line.id);
    expect(shown).toMatchObject({
      expiry_date: line.expiry_date,
      status: [{ label: 'suspended' }],
      suspension: { cause: 'sharing', reason: null, by: null, can_resume: true },
    });
    const { body: usage } = await seller.client.get(`/api/lines/${line.id}/usage`);
    expect(usage.sharing.suspended_until).toBe(shown.suspension.until);
    const left = Date.parse(shown.suspension.until) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(24);
    await eventually(async () => expect(await isServed(line.username)).toBe(false));
    expect(await noticesAbout(line)).toMatchObject([
      { title: `${line.username} is suspended for 24 h` },
    ]);

    await end();
    expect((await read(line.id)).suspension).not.toBeNull();
    await bring(line.id, PAST);
    await end();
    expect(await read(line.id)).toMatchObject({
      suspension: null,
      status: [{ label: 'active' }],
      expiry_date: line.expiry_date,
    });
    await eventually(async () => expect(await isServed(line.username)).toBe(true));
    const acts = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'data'])
      .where('subject_id', '=', line.id)
      .where('action', 'in', ['line.suspend', 'line.resume'])
      .orderBy('created_at')
      .execute();
    expect(acts).toEqual([
      {
        action: 'line.suspend',
        actor_id: null,
        data: {
          username: line.username,
          reason: null,
          sharing_connections: 1,
          sharing_suspend_hours: 24,
        },
      },
      {
        action: 'line.resume',
        actor_id: null,
        data: { username: line.username, reason: null },
      },
    ]);
    const money = await panel.services.db
      .selectFrom('credit_transfers')
      .select('kind')
      .where('line_id', '=', line.id)
      .execute();
    expect(money).toHaveLength(1);
  });

  test('and resumed earlier by a person, it stays on', async () => {
    const line = await suspendedLine();
    expect((await seller.client.post(`/api/lines/${line.id}/resume`, {})).status).toBe(200);
    await watch(line, 12);
    await end();
    expect((await read(line.id)).suspension).toBeNull();
  });

  test('and then by a person, it waits for a person', async () => {
    const line = await suspendedLine();
    const taken = await panel.admin.post(`/api/lines/${line.id}/suspend`, { reason: 'unpaid' });
    expect(taken.body.line.suspension).toMatchObject({ until: null, cause: null });
    await end();
    expect((await read(line.id)).suspension).toMatchObject({ reason: 'unpaid' });
  });

  test('and with its owner banned, it waits for the end of the ban', async () => {
    const owner = await panel.reseller({ credits: 100 });
    await set({ sharing_suspend_hours: 24 });
    const line = await sell(owner.client);
    await watch(line, 10);
    const seen = () => read(line.id, panel.admin);
    await eventually(async () => expect((await seen()).suspension).not.toBeNull());
    await panel.admin.post(`/api/accounts/${owner.id}/ban`, { suspend_lines: true });
    await eventually(async () => expect((await seen()).suspension.until).toBeNull());
    await end();
    expect((await seen()).suspension).not.toBeNull();
  });

  test('renewed, moved or deleted meanwhile, it behaves', async () => {
    const [renewed, deleted] = [await suspendedLine(), await suspendedLine()];
    await seller.client.post(`/api/lines/${renewed.id}/renew`, { subscription_months: 1 });
    const there = await panel.addServer(agent.url, 'There');
    await panel.admin.patch(`/api/lines/${renewed.id}`, { server_id: there.id });
    expect((await seller.client.delete(`/api/lines/${deleted.id}`)).status).toBe(200);
    for (const { id } of [renewed, deleted]) await bring(id, PAST);
    await end();
    expect(await read(renewed.id)).toMatchObject({
      suspension: null,
      server_id: there.id,
      expiry_date: addMonths(renewed.expiry_date, 1),
    });
  });

  test('and its name sent by another line meanwhile, it waits for a person', async () => {
    const { id } = await suspendedLine();
    const username = 'sent-by-two-lines-20';
    const renamed = await seller.client.patch(`/api/lines/${id}`, { username });
    expect(renamed.status).toBe(200);
    await storeLines(panel.services.db, seller.id, server, [{ username: `${username}-x` }]);
    await bring(id, PAST);
    await end();
    expect((await read(id)).suspension).toMatchObject({ until: null, cause: 'sharing' });
  });

  test('by a clock that was ahead, it does not wait longer than a suspension can last', async () => {
    const line = await suspendedLine();
    await bring(line.id, '2099-01-01T00:00:00.000Z');
    await healClock(panel.services);
    await end();
    expect((await read(line.id)).suspension).toBeNull();
  });
});

test('whoever owns a line cannot except it, and an account above can', async () => {
  const below = await panel.below(seller, { credits: 10 });
  const line = await sell(below.client);
  const except = (client: TestAccount['client']) =>
    client.patch(`/api/lines/${line.id}`, { sharing_exempt: true });
  const refused = await except(below.client);
  expect([refused.status, refused.body.code, Object.keys(refused.body.fields)]).toEqual([
    422,
    'ABOVE_ONLY_FIELD',
    ['sharing_exempt'],
  ]);
  expect((await except(seller.client)).body.line.sharing_exempt).toBe(true);
  expect((await except(below.client)).status).toBe(200);
});
