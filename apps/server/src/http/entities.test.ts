import { notificationKinds } from '@linekeeper/contract/notifications.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newLine } from '../testing/lines.ts';
import { AGENT, startTestShop, type TestAccount, type TestPanel } from '../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  ({ panel } = await startTestShop());
  seller = await panel.reseller({ credits: 50 });
});

/** Expects the fields that the specification names. Further fields of the panel are tested elsewhere. */
function expectFields(entity: object, fields: string): void {
  expect(Object.keys(entity)).toEqual(expect.arrayContaining(fields.split(' ')));
}

const first = async (path: string) => (await panel.admin.get(path)).body.items[0];

describe('over HTTP has the fields of the specification:', () => {
  test('an account, suspended where it is banned', {
    tags: ['spec:3.1', 'spec:3.3', 'spec:7.7'],
  }, async () => {
    const { id } = await panel.below(seller);
    const read = async () => (await panel.admin.get(`/api/accounts/${id}`)).body;
    const account = await read();
    expectFields(
      account,
      'id email full_name notes credits group_id is_admin owner_id banned created_at last_sign_in_at username status',
    );
    expect(account).toMatchObject({ owner_id: seller.id, banned: false, status: 'active' });
    await panel.admin.post(`/api/accounts/${id}/ban`);
    expect(await read()).toMatchObject({ banned: true, status: 'suspended' });
  });

  test('a group', { tags: ['spec:3.5'] }, async () => {
    expectFields(await first('/api/groups?limit=1'), 'id name description permissions created_at');
  });

  test('a line, with the defaults of what nobody gave', {
    tags: ['spec:3.9', 'spec:3.14', 'spec:9.19'],
  }, async () => {
    const { body } = await seller.client.post('/api/lines', newLine('plain'));
    expectFields(
      body.line,
      'id username password protocol host_port user_value added_date expiry_date live_channel info notes status name company role avatar_url email owner_id owner_email server_id is_trial subscription_months created_at updated_at',
    );
    expect(body.line).toMatchObject({ protocol: 'cccam', live_channel: 'Info', info: 'Info' });
    expect([body.line.added_date, body.line.expiry_date]).toEqual([
      expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    ]);
  });

  test('a server, but for its password, which is never told', { tags: ['spec:3.20'] }, async () => {
    const server = await first('/api/servers?limit=1');
    expectFields(
      server,
      'id server_name host_ip port api_port username protocol status user_id created_at last_connection',
    );
    expect(server).not.toHaveProperty('password');
  });

  test('a redeem code and its history', { tags: ['spec:3.24'] }, async () => {
    await panel.admin.post('/api/redeem-codes', { credits: 5, code: 'FIELDS-1' });
    expectFields(
      await first('/api/redeem-codes'),
      'id code credits description is_active created_by created_at max_uses times_used expires_at',
    );
    await seller.client.post('/api/redeem', { code: 'FIELDS-1' });
    expectFields(
      await first('/api/redeem/history'),
      'id code_id code credits user_id redeemed_at status',
    );
  });

  test('a ticket and its reply', { tags: ['spec:3.25', 'spec:3.29'] }, async () => {
    const body = { title: 'Fields', description: 'Text' };
    const { ticket } = (await seller.client.post('/api/tickets', body)).body;
    expectFields(
      ticket,
      'id title description status priority category user_id assigned_to created_at updated_at is_read',
    );
    const path = `/api/tickets/${ticket.id}/replies`;
    const { reply } = (await panel.admin.post(path, { content: 'Answer' })).body;
    expectFields(reply, 'id ticket_id user_id is_admin content attachment_url created_at is_read');
  });

  test('a message', { tags: ['spec:3.30', 'spec:7.21'] }, async () => {
    const body = { title: 'Fields', content: 'Text', is_global: true };
    const { message } = (await panel.admin.post('/api/messages', body)).body;
    const { id } = (await panel.admin.get('/api/me')).body;
    expect(message).toMatchObject({ created_by: id, recipient_id: null });
    expectFields(message, 'id title content is_global recipient_id created_by is_read created_at');
  });
});

describe('takes the values of the specification and no other:', () => {
  const open = (more: object) =>
    seller.client.post('/api/tickets', { title: 'Values', description: 'Text', ...more });

  test.each([
    ['status', ['open', 'in_progress', 'closed', 'pending']],
    ['priority', ['low', 'medium', 'high', 'urgent']],
    ['category', ['general', 'technical', 'billing', 'account', 'other']],
  ])(
    'the %s of a ticket',
    { tags: ['spec:3.26', 'spec:3.27', 'spec:3.28'] },
    async (field, values) => {
      for (const value of values) {
        expect((await open({ [field]: value })).body.ticket[field]).toBe(value);
      }
      expect((await open({ [field]: 'another' })).status).toBe(422);
    },
  );

  test('the protocol of a server', { tags: ['spec:3.21'] }, async () => {
    const server = { server_name: 'S', host_ip: 'cards.example', port: 12000, ...AGENT };
    const add = (protocol: string) => panel.admin.post('/api/servers', { ...server, protocol });
    for (const protocol of ['CCcam', 'NewCamd']) {
      expect((await add(protocol)).body.server.protocol).toBe(protocol);
    }
    expect((await add('mgcamd')).status).toBe(422);
  });

  test('the kind of a notification', { tags: ['spec:3.31'] }, async () => {
    const kinds = ['order-placed', 'friend-interactive', 'chat-message', 'mail', 'message'];
    expect([...notificationKinds].toSorted()).toEqual(kinds.toSorted());
    const store = (kind: string) =>
      sql`insert into notifications (id, account_id, kind, title, content)
        values (gen_random_uuid(), ${seller.id}::uuid, ${kind}, 'Title', 'Text')`.execute(
        panel.services.db,
      );
    for (const kind of kinds) await store(kind);
    const { items } = (await seller.client.get('/api/notifications?limit=10')).body;
    expect(items.map((told: { kind: string }) => told.kind)).toEqual(expect.arrayContaining(kinds));
    await expect(store('another')).rejects.toThrow('notifications_kind_check');
  });
});
