// @module-tag thorough
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { readSecretKey } from '../../platform/keys/key-file.ts';
import { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, makeDatabase, startTestAgent, startTestPanel } from '../../testing/panel.ts';
import { runProgram } from '../../testing/process/command.ts';
import { startPushService } from '../../testing/web-push/push-service.ts';
import { sendRaw } from '../../testing/wire/raw.ts';
import { startReceiver, verifyWebhook } from '../../testing/wire/webhook-receiver.ts';

const NEW_SECRET_KEY = 'the new key of this test, long enough too';

/** Starts a panel whose webhooks and push services are on this machine. */
async function startAgain(env: Record<string, string>): Promise<Panel> {
  const panel = await startPanel({ ...env, PORT: '0' }, pino({ level: 'silent' }));
  const { outbound } = panel.services;
  outbound.permitsToOthers = outbound.permits;
  return panel;
}

test.each(databases)(
  'pages, codes, webhooks, devices and the book outlast a backup, its restoration and another key on %s',
  async (kind) => {
    const [agent, receiver, service] = await Promise.all([
      startTestAgent(),
      startReceiver(),
      startPushService(),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-rotated-'));
    const panel = await startTestPanel(kind);
    await panel.addServer(agent.url);
    const seller = await panel.reseller({ credits: 50 });
    const { client } = seller;
    const hook = { url: receiver.url, events: ['line.created', 'line.renewed'] };
    const webhook = (await client.post('/api/webhooks', hook)).body;
    const rotated = (await client.post(`/api/webhooks/${webhook.id}/rotate`)).body;
    const subscription = service.subscription();
    expect((await client.post('/api/me/push', subscription)).status).toBe(200);
    const { public_key } = (await client.get('/api/me/push')).body;
    const payment = { state: 'owes', amount_minor: 1200, currency: 'EUR' };
    const sale = newLine('outlasts', { payment, customer: { name: 'Ola', language: 'pl' } });
    const { id } = (await client.post('/api/lines', sale)).body.line;
    await client.send('PUT', `/api/lines/${id}/auto-renew`, { months: 1 });
    await client.send('PUT', '/api/me/texts', { page: { shows_password: true } });
    const { url } = (await client.post(`/api/lines/${id}/page`)).body;
    const { pathname: page } = new URL(url);
    const [code] = (await client.post('/api/activation-codes', { months: 1 })).body.codes;
    await eventually(() => expect(receiver.received).toHaveLength(1));

    const before = panel.env.SECRET_KEY ?? readSecretKey(panel.env.DATA_DIR ?? '') ?? '';
    const env = { ...panel.env, PORT: new URL(panel.url).port };
    expect(await runProgram('backup.ts', [folder], env)).toMatchObject({ code: 0, stderr: '' });
    const [file = ''] = await readdir(folder);
    const target = await makeDatabase('postgres');
    const targetEnv = { ...panel.env, ...target.env, SECRET_KEY: before };
    delete (targetEnv as Record<string, string>).DATA_DIR;
    let again: Panel | undefined;
    onTestFinished(async () => {
      await again?.close();
      await panel.stop();
      await target.remove();
      await agent.close();
      receiver.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    });
    expect(await runProgram('restore.ts', [join(folder, file)], targetEnv)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const outcome = await runProgram(
      'rotate-keys.ts',
      [],
      { ...targetEnv, NEW_SECRET_KEY },
      undefined,
      folder,
    );
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    for (const said of ['activation codes: 1', 'secrets of webhooks: 1', 'key of web push: 1']) {
      expect(outcome.stdout).toContain(`${said} converted to the new key`);
    }
    again = await startAgain({ ...targetEnv, SECRET_KEY: NEW_SECRET_KEY });
    const own = new TestClient(again.url);
    expect((await own.signIn(seller.email, seller.password)).status).toBe(200);

    // The customer's link works, and shows the password; the panel itself cannot tell it any more.
    const browser = { 'user-agent': 'Mozilla/5.0', 'accept-language': 'en' };
    const shown = await sendRaw(again.url, { path: page, headers: browser });
    expect([shown.status, shown.text.includes('pw-outlasts')]).toEqual([200, true]);
    const revealed = (await own.post(`/api/lines/${id}/reveal`)).body;
    expect(revealed).toEqual({ password: 'pw-outlasts', page: null });

    expect((await own.get('/api/activation-codes')).body.items[0].code).toBe(code.code);
    const anonymous = new TestClient(again.url);
    const wanted = { code: code.code, username: 'by-code', password: 'pw-by-code' };
    expect((await anonymous.post('/api/activate', wanted)).status).toBe(201);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    const { headers, body } = receiver.received.at(-1) ?? expect.fail();
    for (const { secret } of [webhook, rotated]) verifyWebhook(secret, headers, body);

    const line = (await own.get(`/api/lines/${id}`)).body;
    expect(line).toMatchObject({ payment, auto_renew_months: 1 });
    expect((await own.get('/api/book')).body.owed.customers).toBe(1);
    expect((await own.post('/api/me/push', subscription)).status).toBe(200);
    expect((await own.get('/api/me/push')).body.public_key).toBe(public_key);
    const ask = { method: 'POST', path: `${page}/renewal`, headers: { origin: 'null' } };
    expect((await sendRaw(again.url, ask)).status).toBe(303);
    const asked = await own.get('/api/lines/asked');
    expect(asked.body.items.map((one: { id: string }) => one.id)).toEqual([id]);
    await eventually(() => expect(service.titlesAt(subscription.endpoint)).toHaveLength(1));
    const { rows } = await sql`select from push_subscriptions`.execute(again.services.db);
    expect(rows).toHaveLength(1);
  },
);
