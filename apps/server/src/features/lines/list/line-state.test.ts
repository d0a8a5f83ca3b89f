import { expect, test } from 'vitest';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop } from '../../../testing/panel.ts';

test('a line says when it was delivered, and who renewed it a moment ago', async () => {
  const { panel, serverId: server_id, stop } = await startTestShop();
  const seller = await panel.reseller();
  const sold = await seller.client.post('/api/lines', newLine('salon-mokotow', { server_id }));
  const { id } = sold.body.line;
  const read = async (client = seller.client) => (await client.get(`/api/lines/${id}/state`)).body;
  expect(await read()).toMatchObject({
    delivered_at: expect.any(String),
    pending_since: null,
    next_try_at: null,
    password_set_at: null,
    renewal: null,
  });

  await seller.client.post(`/api/lines/${id}/renew`, { subscription_months: 1 });
  expect((await read()).renewal).toMatchObject({ is_own: true });
  expect((await read()).password_set_at).toBeNull();
  await seller.client.patch(`/api/lines/${id}`, { password: 'other-harbor-92-kite' });
  expect((await read()).password_set_at).toEqual(expect.any(String));
  const { renewal } = await read(panel.admin);
  expect(renewal).toMatchObject({ is_own: false, by: expect.stringMatching(/\S/) });

  const stranger = await panel.reseller();
  expect((await stranger.client.get(`/api/lines/${id}/state`)).status).toBe(404);
  await stop();
});

test('a renewal by an account above is told without its name', async () => {
  const { panel, serverId: server_id, stop } = await startTestShop();
  const seller = await panel.reseller();
  const { body } = await seller.client.post('/api/lines', newLine('wisla.kiosk', { server_id }));
  await panel.admin.post(`/api/lines/${body.line.id}/renew`, { subscription_months: 1 });
  const state = await seller.client.get(`/api/lines/${body.line.id}/state`);
  expect(state.body.renewal).toMatchObject({ by: null, is_own: false });
  await stop();
});
