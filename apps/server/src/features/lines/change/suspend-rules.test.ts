import { beforeAll, describe, expect, test } from 'vitest';
import { type SellersShop, startSellersShop } from '../../../testing/accounts/sellers-shop.ts';
import { newLine } from '../../../testing/lines.ts';
import type { TestAccount, TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let server: string;
let seller: TestAccount;
let sell: SellersShop['sell'];
let read: SellersShop['read'];
beforeAll(async () => {
  const shop = await startSellersShop('rule');
  ({ panel, serverId: server, seller, sell, read } = shop);
  return shop.stop;
});

const suspended = { label: 'suspended', color: 'error' };
const active = { label: 'active', color: 'success' };

const suspend = (id: string, reason?: string, client = seller.client) =>
  client.post(`/api/lines/${id}/suspend`, { reason });
const resume = (id: string, client = seller.client) => client.post(`/api/lines/${id}/resume`, {});
const edit = (id: string, body: object) => seller.client.patch(`/api/lines/${id}`, body);

describe('the label', () => {
  const refused = (reply: { status: number; body: { fields?: object; code: string } }) =>
    expect([reply.status, Object.keys(reply.body.fields ?? {}), reply.body.code]).toEqual([
      422,
      ['status'],
      'NOT_BY_STATUS',
    ]);

  test('is set by suspending alone', async () => {
    const line = await sell();
    for (const status of ['suspended', 'Suspended', [{ label: 'VIP' }, { label: 'SUSPENDED' }]]) {
      refused(await edit(line.id, { status }));
      const sale = newLine('never', { server_id: server, status });
      refused(await seller.client.post('/api/lines', sale));
      const all = { action: 'edit', ids: [line.id], status };
      refused(await seller.client.post('/api/lines/bulk', all));
    }
    const rows = [{ ...newLine('never'), server: 'Frankfurt 1', status: 'Suspended' }];
    const { body } = await seller.client.post('/api/lines/bulk', {
      action: 'import',
      rows,
      preview: true,
    });
    // The file contains the suspension, so the imported line is not active.
    expect(body.job.items).toMatchObject([{ state: 'waiting', error: null }]);
    expect((await read(line.id)).status).toEqual([active]);
  });

  test('is lifted by resuming alone, and the others stay free', async () => {
    const line = await sell();
    await suspend(line.id);
    for (const status of ['active', [{ label: 'VIP' }], []]) {
      refused(await edit(line.id, { status }));
    }
    const sent = await edit(line.id, { status: [{ label: 'VIP' }, suspended] });
    expect(sent.body.line.status).toEqual([suspended, { label: 'VIP', color: 'info' }]);
    expect((await edit(line.id, { status: sent.body.line.status })).status).toBe(200);
    expect((await resume(line.id)).body.line.status[0]).toEqual(active);
  });
});

describe('who may resume', () => {
  test('not whoever is below the one that suspended', async () => {
    const [below, peer] = [await panel.below(seller, { credits: 10 }), await panel.reseller()];
    const line = await sell(below.client);
    for (const above of [panel.admin, seller.client]) {
      expect((await suspend(line.id, 'from above', above)).status).toBe(200);
      expect((await read(line.id, below.client)).suspension).toMatchObject({
        reason: 'from above',
        by: null,
        can_resume: false,
      });
      for (const reply of [
        await resume(line.id, below.client),
        await suspend(line.id, 'mine', below.client),
      ]) {
        expect([reply.status, reply.body.code]).toEqual([403, 'SUSPENDED_FROM_ABOVE']);
      }
      expect((await resume(line.id, peer.client)).status).toBe(404);
      expect((await resume(line.id, panel.admin)).status).toBe(200);
    }
  });

  test('whoever is above, and takes over what was suspended below', async () => {
    const below = await panel.below(seller, { credits: 10 });
    const line = await sell(below.client);
    await suspend(line.id, 'on holiday', below.client);
    expect((await read(line.id)).suspension).toMatchObject({ by: below.email, can_resume: true });
    expect((await suspend(line.id)).body.line.suspension).toMatchObject({
      by: seller.email,
      reason: 'on holiday',
    });
    expect((await resume(line.id, below.client)).status).toBe(403);
    expect((await resume(line.id)).status).toBe(200);
  });
});
