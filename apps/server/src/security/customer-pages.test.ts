// @module-tag thorough
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { dumpText } from '../testing/database/dump.ts';
import { eventually } from '../testing/eventually.ts';
import { newLine } from '../testing/lines.ts';
import { startTestShop, type TestAccount } from '../testing/panel.ts';
import { sendRaw } from '../testing/wire/raw.ts';
import { openStream } from '../testing/wire/streams.ts';

let shop: Awaited<ReturnType<typeof startTestShop>>;
let logging: Panel;
let seller: TestAccount;
let lineId = '';
const log: string[] = [];

beforeAll(async () => {
  shop = await startTestShop();
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const env = { ...shop.panel.env, TRUST_PROXY: 'loopback' };
  logging = await startPanel(env, pino({ level: 'trace' }, stream));
  seller = await shop.panel.reseller();
  const { body } = await seller.client.post('/api/lines', newLine('hidden-page'));
  lineId = body.line.id;
});
afterAll(async () => {
  await logging?.close();
  await shop?.stop();
});

const makePage = async () =>
  new URL((await seller.client.post(`/api/lines/${lineId}/page`)).body.url).pathname;

test('the token is in no log, table, event, metric and notification', async () => {
  const events = await openStream(seller.client);
  const path = await makePage();
  const token = path.split('/').at(-1) ?? '';
  expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  const ways = [
    { path },
    { path: `${path}?lang=de` },
    { path: `${path}/`, headers: { referer: `https://other.example${path}` } },
    { path: `${path}/more` },
    { path: `/%6c/${token}` },
    { path: `//l/${token}` },
    { path: path.toUpperCase() },
    { method: 'POST', path: `${path}/renewal` },
    { method: 'POST', path },
    { method: 'PUT', path: `${path}/renewal` },
    { method: 'HEAD', path },
    { method: 'POST', path: `${path}/renewal`, body: 'x'.repeat(300_000) },
  ];
  for (const way of ways) await sendRaw(logging.url, way).catch(() => {});
  const failing = sql`alter table told_customers rename to hidden`;
  await failing.execute(logging.services.db);
  expect((await sendRaw(logging.url, { path })).status).toBe(503);
  await sql`alter table hidden rename to told_customers`.execute(logging.services.db);
  expect((await sendRaw(logging.url, { path })).status).toBe(200);
  await eventually(() => expect(events.events.length).toBeGreaterThan(0));
  events.close();
  await seller.client.delete(`/api/lines/${lineId}/page`);
  const { text: metrics } = await sendRaw(logging.url, { path: '/metrics' });
  const said = {
    log: log.join(''),
    database: await dumpText(logging.services.db),
    events: events.text(),
    metrics,
  };
  expect(said.log).toContain('/l/…');
  expect(said.log).toContain('told_customers');
  expect(said.database).toContain('line.make_page');
  for (const [name, text] of Object.entries(said)) {
    for (const form of [token, token.toUpperCase(), Buffer.from(token).toString('base64')]) {
      expect(text.includes(form), `${name} holds the token`).toBe(false);
    }
  }
});

const GUESSES = 1200;
const ADDRESSES = 20;

test('guesses from many addresses find nothing', async () => {
  await makePage();
  const statuses = new Map<number, number>();
  const guess = async (index: number) => {
    const client = index % ADDRESSES;
    const { status } = await sendRaw(logging.url, {
      path: `/l/${randomBytes(16).toString('base64url')}`,
      headers: { 'x-forwarded-for': `203.0.${client >> 8}.${client & 255}` },
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  for (let first = 0; first < GUESSES; first += ADDRESSES) {
    await Promise.all(Array.from({ length: ADDRESSES }, (_, index) => guess(first + index)));
  }
  expect([...statuses.keys()].sort()).toEqual([404, 429]);
  // Each address has a bounded number of guesses.
  expect(statuses.get(404)).toBeLessThanOrEqual(ADDRESSES * 30);
}, 600_000);
