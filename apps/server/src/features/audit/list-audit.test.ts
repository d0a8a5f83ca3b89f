import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import papaparse from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeAudit } from '../../domain/audit/audit.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('the audit log on %s', (kind) => {
  let panel: TestPanel;
  let anna: TestAccount;
  let boris: TestAccount;
  const line = crypto.randomUUID();
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    anna = await panel.reseller();
    boris = await panel.reseller();
    await anna.client.patch('/api/me', { full_name: 'Anna 100%' });
    await boris.client.patch('/api/me', { full_name: 'Boris' });
    const origin = { actor_id: anna.id, address: '203.0.113.9', request_id: 'request-7' };
    await writeAudit(panel.services.db, origin, [
      {
        action: 'line.delete',
        subject_type: 'line',
        subject_id: line,
        before: { username: '=gone_1', notes: 'x' },
      },
    ]);
    await writeAudit(panel.services.db, { actor_id: null, address: null, request_id: null }, [
      { action: 'server.repair', subject_type: 'server', subject_id: crypto.randomUUID() },
    ]);
  });

  async function list(query = ''): Promise<AuditEntry[]> {
    const { status, body } = await panel.admin.get(`/api/audit?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items;
  }
  const actions = async (query: string) => (await list(query)).map(({ action }) => action);

  test('names who acted and upon what, also what is gone and what the panel did itself', async () => {
    // Two entries of the same millisecond can be in either order.
    const newest = (await list()).slice(0, 3);
    const of = (name: string) => newest.find(({ action }) => action === name);
    const [repair, deletion, edit] = ['server.repair', 'line.delete', 'account.edit'].map(of);
    expect(repair).toMatchObject({ actor_id: null, subject_name: null, subject_exists: false });
    expect(deletion).toMatchObject({
      actor_name: 'Anna 100%',
      subject_name: '=gone_1',
      subject_exists: false,
      before: { username: '=gone_1', notes: 'x' },
      after: null,
      address: '203.0.113.9',
      request_id: 'request-7',
    });
    expect(edit).toMatchObject({
      action: 'account.edit',
      subject_name: 'Boris',
      subject_exists: true,
      after: { full_name: 'Boris' },
    });
  });

  test('names groups, codes, packages and top-ups', async () => {
    const { admin } = panel;
    const group = await admin.post('/api/groups', { name: 'Named', permissions: ['view_users'] });
    const code = await admin.post('/api/redeem-codes', { code: 'NAMED-CODE', credits: 1 });
    const offer = await admin.post('/api/packages', {
      ...{ name: 'Named package', credits: 5, price_minor: 500, currency: 'EUR' },
    });
    const buyer = await panel.reseller();
    await admin.patch('/api/settings', { bank_details: 'Lines Ltd' });
    const order = { package_id: offer.body.package.id, method: 'transfer' };
    const { body: top_up } = await buyer.client.post('/api/topups', order);
    expect([group.status, code.status, offer.status]).toEqual([201, 201, 201]);
    const { body } = await admin.get('/api/audit?limit=20');
    const names = body.items.map(({ subject_name }: AuditEntry) => subject_name);
    const ordered = `${top_up.number} · ${top_up.account_name}`;
    expect(names).toEqual(
      expect.arrayContaining(['Named', 'NAMED-CODE', 'Named package', ordered]),
    );
  });

  test('is searched by names, address, request and subject', async () => {
    for (const q of ['GONE_', '203.0.113', 'request-7', line]) {
      expect(await actions(`q=${q}`)).toEqual(['line.delete']);
    }
    const note = { amount: 1, note: 'Überweisung „Mai“ 0815' };
    await panel.admin.post(`/api/accounts/${boris.id}/credits`, note);
    expect(await actions(`q=${encodeURIComponent('„mai“ 08')}`)).toEqual(['credits.add']);
    // The search does not read the names of fields.
    expect(await actions('q=transfer_id')).toEqual([]);
    // A search for an account finds the entries in which it acted, and the entries about it.
    expect(await actions('q=100%25')).toEqual([
      'line.delete',
      'account.edit',
      'account.sign_in',
      'account.create',
    ]);
    const group = { name: 'Müller & Söhne', permissions: [] };
    expect((await panel.admin.post('/api/groups', group)).status).toBe(201);
    for (const words of ['muller & söhne', 'Müller', 'SOHNE']) {
      expect(await actions(`q=${encodeURIComponent(words)}`)).toEqual(['group.create']);
    }
    expect(await actions('q=boris')).toEqual([
      'credits.add',
      'account.edit',
      'account.sign_in',
      'account.create',
    ]);
    for (const q of ['%25', 'gone-1', 'nobody']) {
      expect((await actions(`q=${q}&subject_type=line`)).length).toBe(q === '%25' ? 1 : 0);
    }
  });

  test('is filtered by actor, action, kind of subject and days', async () => {
    expect(await actions(`actor_id=${anna.id}`)).toEqual([
      'line.delete',
      'account.edit',
      'account.sign_in',
    ]);
    expect(await actions(`actor_id=${anna.id},${boris.id}`)).toHaveLength(5);
    expect(await actions('action=line.delete,server.repair')).toHaveLength(2);
    expect(await actions('subject_type=line,server')).toHaveLength(2);
    expect(await actions('subject_type=account&action=line.delete')).toEqual([]);
    expect(await actions('from=2020-01-01&to=2020-01-02')).toEqual([]);
    const today = panel.services.today();
    expect((await list(`from=${today}&to=${today}`)).length).toBe((await list()).length);
  });

  test('has the same entries on pages of any size, in either order', async () => {
    const whole = await list('limit=100');
    const walked: AuditEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await panel.admin.get(
        `/api/audit?limit=2&sort=created_at${cursor && `&cursor=${cursor}`}`,
      );
      walked.push(...body.items);
      cursor = body.next_cursor;
    }
    expect(walked).toEqual(whole.toReversed());
  });

  test('is downloaded as it is filtered', async () => {
    const { body } = await panel.admin.get('/api/audit/csv?action=line.delete');
    const { data } = papaparse.parse<Record<string, string>>(String(body).slice(1).trim(), {
      header: true,
    });
    expect(data).toMatchObject([
      {
        actor_name: 'Anna 100%',
        action: 'line.delete',
        subject_name: "'=gone_1",
        before: '{"notes":"x","username":"=gone_1"}',
        after: '',
        request_id: 'request-7',
      },
    ]);
  });

  test('is for administrators alone', async () => {
    for (const path of ['/api/audit', '/api/audit/csv']) {
      expect((await anna.client.get(path)).status).toBe(403);
    }
  });

  test.each(['action=nothing', 'action=', 'actor_id=me', 'subject_type=galaxy', 'from=31-02-2026'])(
    '%s is refused',
    async (query) => {
      expect((await panel.admin.get(`/api/audit?${query}`)).status).toBe(422);
    },
  );

  test('names whom and what the fields of an entry hold, while they are there', async () => {
    const { admin } = panel;
    const colleague = await panel.reseller({ group_id: '1' });
    const owner = await panel.reseller();
    const draft = { category: 'api', body: 'Text' };
    const original = await admin.post('/api/articles', { ...draft, title: 'One', locale: 'en' });
    await admin.post('/api/articles', {
      ...{ ...draft, title: 'Eins', locale: 'de', translation_of: original.body.article.id },
    });
    const { body } = await owner.client.post('/api/tickets', { title: 'T', description: 'T' });
    const path = `/api/tickets/${body.ticket.id}`;
    await admin.patch(path, { assigned_to: colleague.id, status: 'in_progress' });
    const missing = crypto.randomUUID();
    await writeAudit(panel.services.db, { actor_id: null, address: null, request_id: null }, [
      {
        action: 'line.edit',
        subject_type: 'line',
        subject_id: crypto.randomUUID(),
        before: { owner_id: missing, server_id: 'none' },
        after: { owner_id: owner.id },
      },
    ]);
    const namesOf = async (action: string) => (await list(`action=${action}`))[0]?.names;
    expect(await namesOf('ticket.edit')).toEqual({ [colleague.id]: colleague.email });
    expect(await namesOf('ticket.create')).toEqual({ [owner.id]: owner.email });
    expect(await namesOf('article.create')).toEqual({ [original.body.article.id]: 'One' });
    expect(await namesOf('line.edit')).toEqual({ [owner.id]: owner.email });
  });
});
