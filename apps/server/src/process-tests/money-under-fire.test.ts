// @module-tag thorough
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { newLine } from '../testing/lines.ts';
import { startTestAgent } from '../testing/panel.ts';
import {
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  openTestWorld,
  type PanelProcess,
  spawnPanel,
} from '../testing/process/process.ts';
import { isSoak, size } from '../testing/size.ts';
import { type GatedReply, sendTogether } from '../testing/wire/raw.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

const ROUNDS = size(2, 200);
const SALES_AT_ONCE = 100;
const REPEATS_AT_ONCE = 50;
const SAME_NAME_AT_ONCE = 40;

let database: Awaited<ReturnType<typeof makeMigratedDatabase>>;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let panels: PanelProcess[];
let admin: TestClient;
beforeAll(async () => {
  agent = await startTestAgent();
  database = await makeMigratedDatabase('postgres');
  const env = { ...FIRST_START, ...database.env };
  panels = [await spawnPanel(env), await spawnPanel(env)];
  ({ admin } = await openTestWorld(panels[0]!.url, agent.url));
});
afterAll(async () => {
  await endPanels();
  await database?.remove();
  await agent?.close();
});

/** Alternates between the two panels. */
const urlOf = (index: number) => panels[index % panels.length]!.url;

async function addSeller(credits: number): Promise<TestClient> {
  const email = `${crypto.randomUUID()}@panel.example`;
  const password = 'a reseller password';
  await admin.post('/api/accounts', { email, password, group_id: '2', credits });
  const client = new TestClient(urlOf(0));
  await client.signIn(email, password);
  return client;
}

/** Sends `count` sales concurrently to both panels. */
function sellTogether(
  count: number,
  sale: (index: number) => { seller: TestClient; username: string; key?: string },
): Promise<GatedReply[]> {
  return sendTogether(
    Array.from({ length: count }, (_, index) => {
      const { seller, username, key = crypto.randomUUID() } = sale(index);
      return {
        url: urlOf(index),
        method: 'POST',
        path: '/api/lines',
        headers: { cookie: seller.cookie, 'idempotency-key': key },
        body: newLine(username),
      };
    }),
  );
}

/** A seller's lines, balance and payments. */
async function stateOf(seller: TestClient) {
  const [lines, me, transfers] = await Promise.all([
    seller.get('/api/lines'),
    seller.get('/api/me'),
    seller.get('/api/credits/transfers?kind=sale'),
  ]);
  return {
    lines: lines.body.items.map(({ id }: { id: string }) => id),
    credits: me.body.credits,
    paid: transfers.body.items.map(({ amount }: { amount: number }) => amount),
  };
}

const unique = (name: string) => `${name}-${crypto.randomUUID().slice(-10)}`;
const statusesOf = (replies: GatedReply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, { length }]) => [
      status,
      length,
    ]),
  );

const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1);

test(`${SALES_AT_ONCE} sales with credits for one are one line and one debit`, async () => {
  for (const round of rounds) {
    const seller = await addSeller(3);
    const replies = await sellTogether(SALES_AT_ONCE, () => ({
      seller,
      username: unique('spend'),
    }));
    expect(statusesOf(replies), `round ${round}`).toEqual({ 201: 1, 409: SALES_AT_ONCE - 1 });
    const sold = replies.find(({ status }) => status === 201);
    expect(sold?.body).toMatchObject({ cost: 2, credits: 1 });
    const messages = replies.flatMap(({ body }) => body.message ?? []);
    expect(messages).toEqual(
      Array(SALES_AT_ONCE - 1).fill('Insufficient credits. Required: 2, Available: 1'),
    );
    expect(await stateOf(seller)).toEqual({ lines: [sold?.body.line.id], credits: 1, paid: [2] });
  }
});

test(`one Idempotency-Key ${REPEATS_AT_ONCE} times is one line, one debit and one answer`, async () => {
  for (const round of rounds) {
    const seller = await addSeller(100);
    const [username, key] = [unique('repeated'), crypto.randomUUID()];
    const replies = await sellTogether(REPEATS_AT_ONCE, () => ({ seller, username, key }));
    expect(statusesOf(replies), `round ${round}`).toEqual({ 201: REPEATS_AT_ONCE });
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
    const { line, ...paid } = replies[0]?.body ?? {};
    expect(paid).toMatchObject({ cost: 2, credits: 98 });
    const first = replies.filter(({ headers }) => !headers.includes('idempotency-replayed: true'));
    expect(first).toHaveLength(1);
    expect(await stateOf(seller)).toEqual({ lines: [line.id], credits: 98, paid: [2] });
  }
});

test(`${SAME_NAME_AT_ONCE} sales of one name by two sellers are one line and one debit`, async () => {
  for (const round of rounds) {
    const sellers = [await addSeller(10), await addSeller(10)];
    const username = unique('wanted');
    const replies = await sellTogether(SAME_NAME_AT_ONCE, (index) => ({
      // Both sellers use both panels.
      seller: sellers[Math.floor(index / 2) % 2]!,
      username,
    }));
    expect(statusesOf(replies), `round ${round}`).toEqual({ 201: 1, 409: SAME_NAME_AT_ONCE - 1 });
    expect(replies.flatMap(({ body }) => body.message ?? [])).toEqual(
      Array(SAME_NAME_AT_ONCE - 1).fill(
        'Username already exists. Please choose a different username.',
      ),
    );
    const states = await Promise.all(sellers.map(stateOf));
    expect(states.flatMap(({ paid }) => paid)).toEqual([2]);
    expect(states.map(({ credits }) => credits).sort()).toEqual([10, 8]);
    expect(states.flatMap(({ lines }) => lines)).toHaveLength(1);
  }
});

test('twenty refunds of one sale over both panels give it back once', async () => {
  for (const _ of rounds) {
    const seller = await addSeller(2);
    await sellTogether(1, () => ({ seller, username: unique('refunded') }));
    const { body } = await seller.get('/api/credits/transfers?kind=sale');
    const replies = await sendTogether(
      Array.from({ length: 20 }, (_, index) => ({
        url: urlOf(index),
        method: 'POST',
        path: `/api/credits/transfers/${body.items[0].id}/refund`,
        headers: { cookie: admin.cookie, 'idempotency-key': crypto.randomUUID() },
        body: {},
      })),
    );
    expect(statusesOf(replies)).toEqual({ 200: 1, 409: 19 });
    expect((await stateOf(seller)).credits).toBe(2);
  }
});

test('after all of it every balance is what the transfers make, on both panels', async () => {
  for (const { url } of panels) {
    const client = new TestClient(url);
    client.cookie = admin.cookie;
    const { body } = await client.get('/api/credits/verify');
    expect(body).toMatchObject({ ok: true, differences: [] });
    // The number is at least that of the transfers of every round's credits and sales.
    expect(body.transfers).toBeGreaterThan(ROUNDS * 7);
  }
});
