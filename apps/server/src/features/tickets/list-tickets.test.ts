import { ticketsList } from '@linekeeper/contract/lists/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let one: TestAccount;
let other: TestAccount;
let adminId: string;
beforeAll(async () => {
  panel = await startTestPanel();
  [one, other] = [await panel.reseller(), await panel.reseller()];
  adminId = (await panel.admin.get('/api/me')).body.id;
  const open = async ({ client }: TestAccount, title: string, more: object) =>
    (await client.post('/api/tickets', { title, description: `About ${title}`, ...more })).body
      .ticket.id;
  const first = await open(one, 'Żółw gone', { priority: 'urgent', category: 'technical' });
  await open(one, 'Invoice', { priority: 'low', category: 'billing', status: 'closed' });
  await open(one, 'Question', { status: 'pending' });
  await open(other, 'Password', { priority: 'high', category: 'account' });
  await panel.admin.patch(`/api/tickets/${first}`, { assigned_to: adminId });
  await panel.admin.post(`/api/tickets/${first}/replies`, { content: 'Push it to Warsaw 2' });
});

const titles = async (query: string, client = panel.admin) => {
  const { status, body } = await client.get(`/api/tickets?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map(({ title }: { title: string }) => title);
};

test('the list begins with the newest activity', { tags: ['spec:4.24'] }, async () => {
  expect(await titles('')).toEqual(['Żółw gone', 'Password', 'Question', 'Invoice']);
  expect(await titles('', one.client)).toEqual(['Żółw gone', 'Question', 'Invoice']);
});

test('each filter finds what it names, and nobody sees more by any', {
  tags: ['spec:6.11', 'spec:7.24'],
}, async () => {
  const found: Record<string, [admin: string[], one: string[]]> = {
    'status=closed': [['Invoice'], ['Invoice']],
    'status=open,pending': [['Password', 'Question'], ['Question']],
    'priority=urgent,high': [['Żółw gone', 'Password'], ['Żółw gone']],
    'category=account': [['Password'], []],
    'unread=true': [['Password', 'Question', 'Invoice'], ['Żółw gone']],
    'unread=false': [['Żółw gone'], ['Question', 'Invoice']],
    [`assigned_to=${adminId}`]: [['Żółw gone'], ['Żółw gone']],
    'assigned_to_me=true': [['Żółw gone'], []],
    'is_assigned=false&status=open': [['Password'], []],
    [`user_id=${other.id}`]: [['Password'], []],
    'q=zolw': [['Żółw gone'], ['Żółw gone']],
    'q=about': [
      ['Żółw gone', 'Password', 'Question', 'Invoice'],
      ['Żółw gone', 'Question', 'Invoice'],
    ],
    'q=WARSAW': [['Żółw gone'], ['Żółw gone']],
    [`q=${other.email}`]: [['Password'], []],
    'q=%231002': [['Invoice'], ['Invoice']],
    'q=%25': [[], []],
  };
  for (const [query, [byAdmin, byOne]] of Object.entries(found)) {
    expect([query, await titles(query)]).toEqual([query, byAdmin]);
    expect([query, await titles(query, one.client)]).toEqual([query, byOne]);
  }
});

test('each sort pages through all, in both directions', { tags: ['spec:7.24'] }, async () => {
  for (const sort of ticketsList.sorts.flatMap((field) => [field, `-${field}`])) {
    const whole = await titles(`sort=${sort}`);
    const paged: string[] = [];
    let cursor = '';
    do {
      const { body } = await panel.admin.get(`/api/tickets?sort=${sort}&limit=1${cursor}`);
      paged.push(...body.items.map(({ title }: { title: string }) => title));
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : '';
    } while (cursor);
    expect(paged).toEqual(whole);
  }
  expect((await titles('sort=-priority'))[0]).toBe('Żółw gone');
  expect((await titles('sort=priority'))[0]).toBe('Invoice');
});

test('owners are told names and no addresses of those who answer', async () => {
  const { body } = await one.client.get('/api/tickets');
  expect(JSON.stringify(body)).not.toContain('admin@panel.example');
  expect(body.items[0].assigned_to_name).not.toBe('');
});

test('the list says how many there are, whatever becomes of them', async () => {
  const total = async (client = panel.admin) => (await client.get('/api/tickets')).body.total;
  const [all, own] = [await total(), await total(one.client)];
  const opened = await Promise.all(
    [1, 2, 3].map((number) =>
      one.client.post('/api/tickets', { title: `Counted ${number}`, description: 'Text' }),
    ),
  );
  expect([await total(), await total(one.client)]).toEqual([all + 3, own + 3]);
  const ids = opened.map(({ body }) => body.ticket.id);
  const refused = one.client.post('/api/tickets', { title: 'Refused', attachment_ids: [ids[0]] });
  expect((await refused).status).toBe(422);
  expect((await panel.admin.delete(`/api/tickets/${ids[0]}`)).status).toBe(200);
  expect((await panel.admin.delete(`/api/tickets/${ids[0]}`)).status).toBe(404);
  const rest = panel.services.db.deleteFrom('tickets').where('id', 'in', ids);
  await rest.execute();
  expect([await total(), await total(one.client)]).toEqual([all, own]);
});
