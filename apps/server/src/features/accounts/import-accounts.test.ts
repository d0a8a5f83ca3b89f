import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';

describe.each(databases)('a file of accounts on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    const seller = { email: 'seller@panel.example', group_id: '2', credits: 7 };
    expect((await panel.admin.post('/api/accounts', seller)).status).toBe(201);
    return () => panel.stop();
  });
  afterEach(() => expectBalancedBooks(panel.services.db));

  const rows = () => [
    {
      email: 'Below@panel.example',
      full_name: 'Ben',
      group: 'Users',
      owner: 'above@panel.example',
    },
    {
      ...{ email: 'above@panel.example', full_name: 'Ada', group: 'resellers' },
      ...{ credits: '50', password: 'a long password' },
    },
    { email: 'bad@panel.example', group: 'Nobodies', credits: '0' },
    { email: 'weak@panel.example', credits: '1.5' },
    { email: 'seller@panel.example', group: 'Resellers', credits: '7' },
  ];
  const send = (body: object, client = panel.admin) => client.post('/api/accounts/import', body);
  const outcomesOf = ({ body }: { body: { items: { outcome: string }[] } }) =>
    body.items.map(({ outcome }) => outcome);
  const emails = async () => {
    const { items } = (await panel.admin.get('/api/accounts?limit=100')).body;
    return items.map(({ email }: { email: string }) => email);
  };

  test('says of each row what it would be, and stores nothing', async () => {
    const before = await emails();
    const { status, body } = await send({
      rows: rows(),
      preview: true,
      row_numbers: [2, 3, 4, 6, 7],
    });
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      {
        position: 2,
        email: 'below@panel.example',
        outcome: 'new',
        owner_email: 'above@panel.example',
      },
      { position: 3, outcome: 'new', owner_email: null, credits: 50 },
      { position: 4, outcome: 'refused', error: { field: 'group', code: 'GROUP_NOT_FOUND' } },
      { position: 6, outcome: 'refused', error: { field: 'credits', code: 'NOT_A_WHOLE_NUMBER' } },
      { position: 7, outcome: 'same', credits: 0 },
    ]);
    expect(JSON.stringify(body)).not.toContain('a long password');
    expect(await emails()).toEqual(before);
  });

  test('creates all of them with group, owner, credits and password, or none', async () => {
    const whole = await send({ rows: rows() });
    expect([whole.status, whole.body.code]).toEqual([422, 'IMPORT_HAS_INVALID_ROWS']);
    expect(await emails()).not.toContain('above@panel.example');
    const made = await send({ rows: rows(), only_valid: true });
    expect(outcomesOf(made)).toEqual(['new', 'new', 'refused', 'refused', 'same']);
    const { items } = (await panel.admin.get('/api/accounts?limit=100')).body;
    const byEmail = (email: string) => items.find((one: { email: string }) => one.email === email);
    const above = byEmail('above@panel.example');
    expect(above).toMatchObject({ full_name: 'Ada', group_id: '2', credits: 50, owner_id: null });
    const below = byEmail('below@panel.example');
    expect(below).toMatchObject({ group_id: '3', credits: 0, owner_id: above.id });
    expect(byEmail('seller@panel.example')).toMatchObject({ credits: 7 });
    const { db } = panel.services;
    const entries = await db
      .selectFrom('audit_log')
      .select('data')
      .where('action', '=', 'account.create')
      .where('subject_id', '=', above.id)
      .execute();
    expect(entries).toMatchObject([{ data: { credits: 50, transfer_id: expect.any(String) } }]);
    expect(JSON.stringify(entries)).not.toContain('a long password');

    const client = panel.anonymous();
    expect((await client.signIn('above@panel.example', 'a long password')).status).toBe(200);
    // Nobody can sign in to an account without a password, until an administrator has created a link.
    const none: TestClient = panel.anonymous();
    expect((await none.signIn('below@panel.example', 'a long password')).status).toBe(401);
    const link = await panel.admin.post(`/api/accounts/${below.id}/reset-link`);
    const token = new URL(link.body.url).searchParams.get('token');
    const set = { token, new_password: 'a password of Ben' };
    expect((await none.post('/api/auth/reset-password', set)).status).toBe(200);
    expect((await none.signIn('below@panel.example', set.new_password)).status).toBe(200);
  });

  test('changes nothing the second time, and says what differs', async () => {
    const again = await send({ rows: rows(), only_valid: true });
    expect(outcomesOf(again)).toEqual(['same', 'same', 'refused', 'refused', 'same']);
    const { body } = await send({
      rows: [{ email: 'below@panel.example', full_name: 'Bert', owner: 'admin@panel.example' }],
    });
    expect(body.items).toMatchObject([{ outcome: 'differs', differing: ['full_name', 'owner'] }]);
    const { items } = (await panel.admin.get('/api/accounts?q=below')).body;
    expect(items).toMatchObject([{ full_name: 'Ben' }]);
  });

  test('refuses the second row of an email, an owner that is nobody, and a common password', async () => {
    const { body } = await send({
      preview: true,
      rows: [
        { email: 'twin@panel.example', password: 'the first password' },
        { email: 'twin@panel.example', password: 'the other password' },
        { email: 'orphan@panel.example', owner: 'nobody@panel.example' },
        { email: 'common@panel.example', password: 'password123' },
        { email: '' },
      ],
    });
    expect(
      body.items.map(({ error }: { error: { field: string; code: string } | null }) =>
        error === null ? null : [error.field, error.code],
      ),
    ).toEqual([
      null,
      ['email', 'EMAIL_IN_FILE'],
      ['owner', 'USER_NOT_FOUND'],
      ['password', 'PASSWORD_TOO_COMMON'],
      ['email', 'INVALID_EMAIL'],
    ]);
  });

  test('puts those without an owner below the account that is chosen', async () => {
    const { items } = (await panel.admin.get('/api/accounts?q=seller')).body;
    const file = { rows: [{ email: 'chosen@panel.example' }], owner_id: items[0].id };
    expect((await send(file)).body.items).toMatchObject([{ owner_email: 'seller@panel.example' }]);
    const { body } = await panel.admin.get('/api/accounts?q=chosen');
    expect(body.items).toMatchObject([{ owner_id: items[0].id, group_id: '3' }]);
  });

  test('is taken from administrators only', async () => {
    const seller = await panel.reseller();
    const { status, body } = await send({ rows: rows() }, seller.client);
    expect([status, body.code]).toEqual([403, 'ADMIN_ONLY']);
  });
});
