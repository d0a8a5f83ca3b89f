// @module-tag thorough
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startScriptedCardServer } from '../testing/card-servers/card-server.ts';
import { eventually } from '../testing/eventually.ts';
import { databases, startTestAgent } from '../testing/panel.ts';
import {
  balanceOf,
  endPanels,
  FIRST_START,
  makeMigratedDatabase,
  movedTo,
  openTestWorld,
  type PanelProcess,
  soldNames,
  spawnPanel,
} from '../testing/process/process.ts';

afterAll(endPanels);

const sale = { username: 'survivor', password: 'pw-survivor', subscription_months: 1 };

test.concurrent.each(databases)(
  'on %s a line is there, paid once and delivered after kill -9 between commit and push',
  { tags: ['spec:4.11'] },
  async (kind) => {
    const database = await makeMigratedDatabase(kind);
    const env = { ...database.env, ...FIRST_START };
    const first: { panel?: PanelProcess } = {};
    const silent = await startScriptedCardServer(() => {
      first.panel?.child.kill('SIGKILL');
      return new Promise(() => {});
    });
    first.panel = await spawnPanel(env);
    const { admin, reseller } = await openTestWorld(first.panel.url, silent.url);
    const key = { 'idempotency-key': 'one sale' };
    await expect(reseller.client.post('/api/lines', sale, key)).rejects.toThrow();
    expect((await first.panel.ended).signal).toBe('SIGKILL');
    await silent.stop();
    const agent = await startTestAgent(silent.port);

    const second = await spawnPanel(env);
    const returned = movedTo(second.url, admin);
    const seller = movedTo(second.url, reseller.client);
    expect(await soldNames(returned)).toEqual([sale.username]);
    expect(await balanceOf(returned, reseller.id)).toBe(98);

    // The dead panel's lease (15 s) must expire first. Until then the attempt counts as running,
    // and a request with the same key is refused.
    const replayed = await eventually(async () => {
      const reply = await seller.post('/api/lines', sale, key);
      if (reply.status !== 201) expect(reply.body.code).toBe('REQUEST_IN_PROGRESS');
      expect(reply.status).toBe(201);
      return reply;
    });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toMatchObject({ cost: 2, credits: 98, line: { owner_id: reseller.id } });
    await eventually(async () =>
      expect((await seller.get('/api/lines')).body.items).toMatchObject([
        { username: sale.username, sync_state: 'synced' },
      ]),
    );
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
