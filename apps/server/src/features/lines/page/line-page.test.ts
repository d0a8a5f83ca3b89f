import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { sendRaw } from '../../../testing/wire/raw.ts';

vi.setConfig({ testTimeout: 120_000 });

const BROWSER = 'Mozilla/5.0 (Linux; Android 14) Chrome/140 Mobile Safari/537.36';

describe.each(databases)('the page of a customer on %s', (database) => {
  let shop: Awaited<ReturnType<typeof startTestShop>>;
  let panel: TestPanel;
  let seller: TestAccount;
  let names = 0;
  beforeAll(async () => {
    shop = await startTestShop(database);
    ({ panel } = shop);
    seller = await panel.reseller({ credits: 100 });
  });
  afterAll(() => shop?.stop());

  const db = () => panel.services.db;
  const pathOf = (url: string) => new URL(url).pathname;

  async function sell(more: object = {}, { client } = seller) {
    const username = `page${names++}`;
    const { body } = await client.post('/api/lines', newLine(username, { ...more }));
    return { id: body.line.id as string, username };
  }
  const make = async (id: string, { client } = seller) =>
    pathOf((await client.post(`/api/lines/${id}/page`)).body.url);
  const lineOf = async (id: string) => (await seller.client.get(`/api/lines/${id}`)).body;
  const open = (path: string, headers: Record<string, string> = {}) =>
    sendRaw(panel.url, { path, headers: { 'user-agent': BROWSER, ...headers } });
  const ask = (path: string) =>
    sendRaw(panel.url, {
      method: 'POST',
      path: `${path}/renewal?lang=en`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
    });
  const noticesOf = async ({ id }: TestAccount) =>
    (
      await db()
        .selectFrom('notifications')
        .select(['title', 'link'])
        .where('account_id', '=', id)
        .execute()
    ).filter(({ title }) => title.includes('Renewal requested'));

  test('shows what is true of the line to anyone who has the link', async () => {
    const { id, username } = await sell();
    expect((await lineOf(id)).page).toBeNull();
    const path = await make(id);
    expect(path).toMatch(/^\/l\/[\w-]{22}$/);
    const { status, text, headers } = await open(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const shown of [
      username,
      '127.0.0.1',
      '12000',
      'Paid until',
      'The server is responding',
    ]) {
      expect(text).toContain(shown);
    }
    expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024);
    expect(text).not.toMatch(/<script|https?:\/\/|src=/);
    expect(await lineOf(id)).toMatchObject({
      page: { made_at: expect.any(String), opened_at: expect.any(String), asked_at: null },
    });
  });

  test('is neither kept nor found nor told to another site, and sets no cookie', async () => {
    const path = await make((await sell()).id);
    for (const one of [path, `${path}?lang=pl`, '/l/0000000000000000000000', '/l/a/b']) {
      const { headers } = await open(one);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': expect.stringContaining('noindex'),
        'content-security-policy': expect.stringMatching(/^default-src 'none';style-src 'sha256-/),
      });
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  test('has the password only where the seller shows it', async () => {
    const { id, username } = await sell();
    const path = await make(id);
    expect((await open(path)).text).not.toContain(`pw-${username}`);
    const shows = (shows_password: boolean) =>
      seller.client.send('PUT', '/api/me/texts', { page: { shows_password } });
    await shows(true);
    expect((await open(path)).text).toMatch(
      new RegExp(`<details><summary>.*</summary><code>pw-${username}</code></details>`),
    );
    await shows(false);
    expect((await open(path)).text).not.toContain(`pw-${username}`);
  });

  test('speaks the language of the address, of the customer, of the browser, in this order', async () => {
    const polish = await make((await sell({ language: 'pl' })).id);
    const any = await make((await sell()).id);
    const german = { 'accept-language': 'de-AT,de;q=0.9' };
    expect((await open(polish, german)).text).toContain('<html lang="pl">');
    expect((await open(`${polish}?lang=pt`, german)).text).toContain('Paga até');
    expect((await open(any, german)).text).toContain('Bezahlt bis');
    expect((await open(`${any}?lang=xx`)).text).toContain('Paid until');
    expect((await open('/l/unknown', german)).text).toContain('Diese Seite gibt es nicht');
  });

  test('shows the seller, the words with what they say of the line, and the ways to write', async () => {
    const other = await panel.reseller({ credits: 10 });
    const { id } = await sell({ price_minor: 1200, currency: 'EUR' }, other);
    const path = await make(id, other);
    expect((await open(path)).text).not.toContain('Questions?');
    const { status, body } = await other.client.send('PUT', '/api/me/texts', {
      page: {
        name: 'Szczęsna <Satellite>',
        words: { en: 'The next month is {price}. Your password is {password}. Bye' },
        phone: '+48 22 5550 0110',
        telegram: 'https://t.me/szczesna',
      },
    });
    expect([status, body.page.telegram]).toEqual([200, 'szczesna']);
    const { text } = await open(path);
    expect(text).toContain('Szczęsna &lt;Satellite&gt;');
    expect(text).toContain('The next month is 12\u00a0EUR. Bye');
    for (const href of ['tel:+482255500110', 'https://wa.me/482255500110', 'https://t.me/szczesna'])
      expect(text).toContain(`href="${href}"`);
    const wrong = await other.client.send('PUT', '/api/me/texts', {
      page: { telegram: 'javascript:alert(1)' },
    });
    expect(wrong.status).toBe(422);
  });

  test('a new link ends the old one, and a withdrawn, deleted or banned one is like any unknown', async () => {
    const other = await panel.reseller({ credits: 10 });
    const { id } = await sell({}, other);
    const old = await make(id, other);
    const { body } = await other.client.post(`/api/lines/${id}/reveal`);
    expect(pathOf(body.page)).toBe(old);
    const path = await make(id, other);
    const unknown = await open('/l/AAAAAAAAAAAAAAAAAAAAAA');
    expect(unknown.status).toBe(404);
    const isGone = async (one: string) => {
      const { status, text, headers } = await open(one);
      expect([status, text]).toEqual([404, unknown.text]);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    };
    await isGone(old);
    expect((await open(path)).status).toBe(200);
    expect((await other.client.delete(`/api/lines/${id}/page`)).status).toBe(200);
    await isGone(path);
    expect((await other.client.post(`/api/lines/${id}/reveal`)).body.page).toBeNull();

    const again = await make(id, other);
    const ban = (banned: boolean) =>
      db().updateTable('auth_users').set({ banned }).where('id', '=', other.id).execute();
    await ban(true);
    await isGone(again);
    await ban(false);
    expect((await open(again)).status).toBe(200);
    await other.client.delete(`/api/lines/${id}`);
    await isGone(again);
    expect((await ask(again)).status).toBe(404);
  });

  test('is made and withdrawn by those who see the line, and by nobody else', async () => {
    const { id } = await sell();
    const path = await make(id);
    const stranger = await panel.reseller();
    for (const { client } of [stranger]) {
      expect((await client.post(`/api/lines/${id}/page`)).status).toBe(404);
      expect((await client.delete(`/api/lines/${id}/page`)).status).toBe(404);
    }
    expect((await open(path)).status).toBe(200);
    const { body } = await panel.admin.post(`/api/lines/${id}/page`);
    expect((await open(pathOf(body.url))).status).toBe(200);
    expect((await open(path)).status).toBe(404);
  });

  test('asks the seller for a renewal once, however often it is sent, until the line is renewed', async () => {
    const { id, username } = await sell({ name: 'Ola' });
    const path = await make(id);
    const replies = await Promise.all([ask(path), ask(path), ask(path)]);
    for (const { status, headers } of replies) {
      expect([status, headers.location]).toEqual([303, `${path}?lang=en`]);
    }
    expect(await noticesOf(seller)).toEqual([
      { title: `Renewal requested: ${username}`, link: `/users/edit/${id}` },
    ]);
    const shown = await open(path);
    expect(shown.text).toContain('You asked for renewal');
    expect(shown.text).not.toContain('<form');
    const asked = async ({ client } = seller) =>
      (await client.get('/api/lines/asked')).body.items.map(({ id }: { id: string }) => id);
    expect(await asked()).toEqual([id]);
    expect(await asked(await panel.reseller())).toEqual([]);
    expect((await lineOf(id)).page.asked_at).toEqual(expect.any(String));

    // Another day, and again.
    await sql`update line_pages set asked_at = asked_at - interval '1 day' where line_id = ${id}`.execute(
      db(),
    );
    expect((await open(path)).text).toContain('<form');
    await ask(path);
    expect(await noticesOf(seller)).toHaveLength(2);

    await seller.client.post(`/api/lines/${id}/renew`, { subscription_months: 1 });
    expect(await asked()).toEqual([]);
    expect((await lineOf(id)).page.asked_at).toBeNull();
    expect((await open(path)).text).toContain('<form');
  });

  test('of a suspended line says so, and has nothing to enter and nothing to ask', async () => {
    const { id } = await sell();
    const path = await make(id);
    await seller.client.post(`/api/lines/${id}/suspend`, { reason: 'Not paid' });
    const { text } = await open(path);
    expect(text).toContain('This line is paused');
    for (const hidden of ['Not paid', '12000', '<form', 'Paid until'])
      expect(text).not.toContain(hidden);
    const before = (await noticesOf(seller)).length;
    await ask(path);
    expect(await noticesOf(seller)).toHaveLength(before);
  });

  test('says how long the line is paid for, and that it has expired', async () => {
    const { id } = await sell();
    const path = await make(id);
    const today = panel.services.today();
    const shownAt = async (days: number) => {
      const expiry_date = addDays(today, days);
      await db().updateTable('users').set({ expiry_date }).where('id', '=', id).execute();
      return (await open(`${path}?lang=en`)).text;
    };
    expect(await shownAt(35)).toContain('35 days left');
    expect(await shownAt(1)).toContain('1 day left');
    expect(await shownAt(0)).toContain('Today is the last day');
    expect(await shownAt(-3)).toContain('Expired 3 days ago');
  });

  test('says that a server is away and since when, and whether the receiver is connected', async () => {
    const { id } = await sell();
    const path = await make(id);
    const away = (status: 'active' | 'error', away_at: Date | null) =>
      db().updateTable('cccam_servers').set({ status, away_at }).execute();
    await away('error', new Date(Date.now() - 3_600_000));
    expect((await open(path)).text).toMatch(/The server is not responding.*since /);
    await away('active', null);
    expect((await open(path)).text).not.toContain('Your receiver');
    await sql`insert into server_presence (server_id, read_at, tried_at)
      values (${shop.serverId}, now(), now())
      on conflict (server_id) do update set read_at = now()`.execute(db());
    expect((await open(path)).text).toContain('has not connected yet');
    await sql`insert into line_presence (line_id, server_id, connections, since, last_seen_at)
      values (${id}, ${shop.serverId}, 1, now() - interval '1 hour', 'infinity')`.execute(db());
    expect((await open(path)).text).toContain('Your receiver is connected');
    await sql`update server_presence set read_at = now() - interval '1 hour'`.execute(db());
  });

  test('opened after a move shows the new address and counts as told; a preview does not', async () => {
    const { body } = await panel.admin.post('/api/servers', {
      ...{ server_name: 'Warsaw', host_ip: '10.1.2.3', port: 13000 },
      ...{ public_host: 'warsaw.example', username: 'panel', password: 'secret' },
    });
    const activate = () => db().updateTable('cccam_servers').set({ status: 'active' }).execute();
    await activate();
    const lines = [
      await sell({ server_id: shop.serverId }),
      await sell({ server_id: shop.serverId }),
    ];
    const [path = '', other = ''] = await Promise.all(lines.map(({ id }) => make(id)));
    await open(path);
    await panel.admin.post(`/api/servers/${shop.serverId}/move-lines`, {
      to_server_id: body.server.id,
    });
    const told = async () => {
      const [job] = (await seller.client.get('/api/customers/to-tell')).body.items;
      return job?.told;
    };
    expect(await told()).toBe(0);
    for (const agent of [
      'WhatsApp/2.23',
      'TelegramBot (like TwitterBot)',
      'facebookexternalhit/1.1',
    ])
      expect((await open(path, { 'user-agent': agent })).text).not.toContain('warsaw.example');
    await sendRaw(panel.url, { method: 'HEAD', path });
    expect(await told()).toBe(0);
    expect((await open(path)).text).toContain('warsaw.example');
    expect(await told()).toBe(1);
    await open(other);
    await open(other);
    expect(await told()).toBe(2);
    await activate();
  });

  test('guesses find nothing, and are bounded by network', async () => {
    const path = await make((await sell()).id);
    const guess = () =>
      `/l/${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')}`;
    const statuses = [];
    for (let index = 0; index < 40; index++) statuses.push((await open(guess())).status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    const limited = await open(guess());
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    // A customer in the same network has the link.
    expect((await open(path)).status).toBe(200);
    await sql`delete from rate_limits where scope = 'customer-pages'`.execute(db());
  });

  test('a crowd of guesses from one network does not keep out the customers of others', async () => {
    const path = await make((await sell()).id);
    const unknown = '/l/AAAAAAAAAAAAAAAAAAAAAA';
    const from = (localAddress: string, path: string) =>
      sendRaw(panel.url, { path, localAddress, headers: { 'user-agent': BROWSER } });
    const statuses = async (sent: Promise<{ status: number }>[]) =>
      (await Promise.all(sent)).map(({ status }) => status);
    const crowd = Array.from({ length: 400 }, () => from('127.0.0.2', unknown));
    const customers = Array.from({ length: 5 }, () => from('127.0.0.3', path));
    expect(new Set(await statuses(customers))).toEqual(new Set([200]));
    // A fast machine answers the whole crowd; a slow one turns some of it away.
    const refused = [404, 429, 503];
    expect((await statuses(crowd)).filter((status) => !refused.includes(status))).toEqual([]);
    await sql`delete from rate_limits where scope = 'customer-pages'`.execute(db());
  });
});
