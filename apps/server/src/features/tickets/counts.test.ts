// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openEventStream } from '../../testing/wire/streams.ts';

describe.each(databases)('counts of tickets on %s', (kind) => {
  let panel: TestPanel;
  let owner: TestAccount;
  let colleague: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    owner = await panel.reseller();
    colleague = await panel.reseller({ group_id: '1' });
  });

  /** The expected counts, computed from each ticket as the list shows it. */
  async function countedFor(id: string, is_admin: boolean) {
    const newest = sql.ref(is_admin ? 'last_position' : 'last_shown');
    const { rows } = await sql`select count(*)::int as all,
        count(*) filter (where status <> 'closed')::int as active,
        count(*) filter (where status = 'closed')::int as closed,
        count(*) filter (where not exists (select from ticket_reads
          where ticket_id = tickets.id and account_id = ${id} and read_to >= ${newest}))::int as unread,
        count(*) filter (where status <> 'closed' and assigned_to = ${id})::int as assigned_to_me,
        count(*) filter (where status <> 'closed' and assigned_to is null)::int as unassigned
      from tickets where ${is_admin}::boolean or user_id = ${id}`.execute(panel.services.db);
    return rows[0];
  }

  test('are those of the list after all that can be done with tickets', async () => {
    const { admin } = panel;
    const { id: adminId } = (await admin.get('/api/me')).body;
    const open = async () => {
      const text = { title: 'Counted', description: 'Text' };
      return `/api/tickets/${(await owner.client.post('/api/tickets', text)).body.ticket.id}`;
    };
    const [one, two, three] = [await open(), await open(), await open()];
    const steps: [string, () => Promise<{ status: number }>][] = [
      ['nothing', () => admin.get(one)],
      ['read', () => admin.post(`${one}/read`)],
      ['answered', () => admin.post(`${one}/replies`, { content: 'Answer' })],
      ['noted', () => colleague.client.post(`${one}/replies`, { content: 'N', is_note: true })],
      ['read by its owner', () => owner.client.post(`${one}/read`)],
      ['read again', () => admin.post(`${one}/read`)],
      ['assigned', () => admin.patch(two, { assigned_to: colleague.id })],
      ['closed', () => owner.client.patch(one, { status: 'closed' })],
      ['reopened', () => owner.client.post(`${one}/replies`, { content: 'Still' })],
      ['closed by others', () => colleague.client.patch(two, { status: 'closed' })],
      ['deleted', () => admin.delete(three)],
      ['read by all', () => colleague.client.post(`${two}/read`)],
    ];
    const readers = [
      [admin, adminId, true],
      [colleague.client, colleague.id, true],
      [owner.client, owner.id, false],
    ] as const;
    for (const [step, take] of steps) {
      expect([step, (await take()).status]).toEqual([step, expect.toBeOneOf([200, 201])]);
      for (const [client, id, is_admin] of readers) {
        const { body } = await client.get('/api/tickets/counts');
        expect([step, id, body]).toEqual([step, id, await countedFor(id, is_admin)]);
        const { body: list } = await client.get('/api/tickets?unread=true');
        expect([step, id, list.total]).toEqual([step, id, body.unread]);
      }
    }
    const { body } = await admin.get('/api/tickets/counts');
    expect(body).toMatchObject({ all: 2, active: 1, closed: 1, unassigned: 1 });
  });

  test('of an account follow it into and out of the administrators', async () => {
    const { admin } = panel;
    const mover = await panel.reseller();
    const text = { title: 'Moving', description: 'Text' };
    const { id } = (await mover.client.post('/api/tickets', text)).body.ticket;
    await admin.post(`/api/tickets/${id}/replies`, { content: 'Note', is_note: true });
    for (const group_id of ['1', '2']) {
      await admin.patch(`/api/accounts/${mover.id}`, { group_id });
      const again = panel.anonymous();
      expect((await again.signIn(mover.email, mover.password)).status).toBe(200);
      const { body } = await again.get('/api/tickets/counts');
      expect(body).toEqual(await countedFor(mover.id, group_id === '1'));
    }
  });

  test('tell an owner nothing of a note, whose reading it ends', async () => {
    const text = { title: 'Noted', description: 'Text' };
    const stream = await openEventStream(owner.client);
    const { id } = (await owner.client.post('/api/tickets', text)).body.ticket;
    for (const table of ['tickets', 'ticket_reads'] as const) {
      await stream.hears({ table, op: 'INSERT', id });
    }
    const ofTickets = () => stream.events.filter(({ table }) => table.startsWith('ticket')).length;
    const heard = ofTickets();
    const other = await openEventStream(colleague.client);
    await panel.admin.post(`/api/tickets/${id}/replies`, { content: 'Secret', is_note: true });
    await other.hears({ table: 'ticket_notes', op: 'INSERT', id });
    await panel.admin.post(`/api/accounts/${owner.id}/credits`, { amount: 1 });
    await stream.hears({ table: 'auth_users', id: owner.id });
    expect(ofTickets()).toBe(heard);
    for (const one of [stream, other]) one.close();
  });
});
