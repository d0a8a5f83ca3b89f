import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { startScriptedCardServer } from '../testing/card-server.ts';
import { databases, startTestAgent } from '../testing/panel.ts';
import {
  balanceOf,
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openShop,
  type PanelProcess,
  soldNames,
  spawnPanel,
} from '../testing/process.ts';

vi.setConfig({ testTimeout: 180_000 });
afterAll(endPanels);

/** From the new start: the lease of the dead panel (15 s) has to run out first. */
const DELIVERED_WITHIN_MS = 60_000;
const sale = { username: 'survivor', password: 'pw-survivor', subscription_months: 1 };

test.concurrent.each(databases)(
  'on %s a line is there, paid once and delivered after kill -9 between commit and push',
  async (kind) => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const first: { panel?: PanelProcess } = {};
    const silent = await startScriptedCardServer(() => {
      first.panel?.child.kill('SIGKILL');
      return new Promise(() => {});
    });
    first.panel = await spawnPanel(env);
    const { admin, reseller } = await openShop(first.panel.url, silent.url);
    const key = { 'idempotency-key': 'one sale' };
    await expect(reseller.client.post('/api/lines', sale, key)).rejects.toThrow();
    expect((await first.panel.ended).signal).toBe('SIGKILL');
    await silent.stop();
    const agent = await startTestAgent(silent.port);

    const second = await spawnPanel(env);
    const startedAt = performance.now();
    const returned = movedTo(second.url, admin);
    const seller = movedTo(second.url, reseller.client);
    expect(await soldNames(returned)).toEqual([sale.username]);
    expect(await balanceOf(returned, reseller.id)).toBe(98);

    // Until the first attempt counts as dead, the same key is told that it may still be running.
    const replayed = await vi.waitFor(
      async () => {
        const reply = await seller.post('/api/lines', sale, key);
        if (reply.status !== 201) expect(reply.body.code).toBe('REQUEST_IN_PROGRESS');
        expect(reply.status).toBe(201);
        return reply;
      },
      { timeout: DELIVERED_WITHIN_MS, interval: 250 },
    );
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toMatchObject({ cost: 2, credits: 98, line: { owner_id: reseller.id } });
    await vi.waitFor(
      async () =>
        expect((await seller.get('/api/lines')).body.items).toMatchObject([
          { username: sale.username, sync_state: 'synced' },
        ]),
      { timeout: DELIVERED_WITHIN_MS, interval: 250 },
    );
    expect(performance.now() - startedAt).toBeLessThan(DELIVERED_WITHIN_MS);
    const accounts = await readFile(join(agent.dir, 'CCcam.cfg'), 'utf8');
    expect(accounts).toContain(`F: ${sale.username} ${sale.password}`);

    expect((await seller.post('/api/lines', sale, key)).body).toEqual(replayed.body);
    expect(await balanceOf(returned, reseller.id)).toBe(98);
    expect(await soldNames(returned)).toEqual([sale.username]);
    second.child.kill('SIGTERM');
    await second.ended;
    await agent.close();
    await database.remove();
  },
);
