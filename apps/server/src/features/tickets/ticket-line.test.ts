import { expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { startTestShop } from '../../testing/panel.ts';

const about = (line_id: string) => ({ title: 'No picture', description: 'Since today', line_id });

test('a ticket names a line of its author, and keeps standing when the line is deleted', async () => {
  const { panel, serverId: server_id } = await startTestShop();
  const seller = await panel.reseller();
  const { body: sold } = await seller.client.post('/api/lines', newLine('cust0399', { server_id }));
  const { id } = sold.line;
  const opened = await seller.client.post('/api/tickets', about(id));
  expect(opened).toMatchObject({
    status: 201,
    body: { ticket: { line: { id, username: 'cust0399' } } },
  });
  const { id: ticketId } = opened.body.ticket;
  const seen = await panel.admin.get(`/api/tickets/${ticketId}`);
  expect(seen.body.ticket.line).toEqual({ id, username: 'cust0399' });

  const stranger = await panel.reseller();
  expect(await stranger.client.post('/api/tickets', about(id))).toMatchObject({
    status: 404,
    body: { code: 'LINE_NOT_FOUND' },
  });

  await seller.client.delete(`/api/lines/${id}`);
  const left = await seller.client.get(`/api/tickets/${ticketId}`);
  expect(left.body.ticket).toMatchObject({ title: 'No picture', line: null });
});

test('names in a text are looked up, and only lines that are seen are found', async () => {
  const { panel, serverId: server_id } = await startTestShop();
  const [seller, other] = [await panel.reseller(), await panel.reseller()];
  const { body: mine } = await seller.client.post('/api/lines', newLine('mine', { server_id }));
  await other.client.post('/api/lines', newLine('theirs', { server_id }));
  const usernames = ['mine', 'theirs', 'nobody'];
  const { body } = await seller.client.post('/api/lines/look-up', { usernames });
  expect(body.items).toEqual([{ id: mine.line.id, username: 'mine' }]);
  const all = await panel.admin.post('/api/lines/look-up', { usernames });
  expect(all.body.items).toHaveLength(2);
});
