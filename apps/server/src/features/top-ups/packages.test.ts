import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
afterAll(() => panel?.stop());

const sample = { name: 'Small', credits: 50, price_minor: 5000, currency: 'EUR' };
const create = async (changes: object = {}) => {
  const { status, body } = await panel.admin.post('/api/packages', { ...sample, ...changes });
  expect(status).toBe(201);
  return body.package;
};
const namesFor = async (client = panel.admin) =>
  (await client.get('/api/packages')).body.items.map(({ name }: { name: string }) => name);

test('packages are made, changed and deleted by administrators, each with an audit entry', async () => {
  const made = await create();
  expect(made).toMatchObject({ ...sample, is_active: true, is_most_bought: false });
  const path = `/api/packages/${made.id}`;
  const { body } = await panel.admin.patch(path, { price_minor: 4500, is_active: false });
  expect(body.package).toMatchObject({ ...sample, price_minor: 4500, is_active: false });
  expect((await panel.admin.patch(path, {})).body.package).toEqual(body.package);
  expect((await panel.admin.delete(path)).body).toEqual({ success: true });
  for (const reply of [await panel.admin.patch(path, sample), await panel.admin.delete(path)]) {
    expect([reply.status, reply.body.code]).toEqual([404, 'PACKAGE_NOT_FOUND']);
  }
  const entries = await panel.services.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject_id', '=', made.id)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'package.create',
    'package.edit',
    'package.delete',
  ]);
  expect(entries[1]).toMatchObject({
    before: { price_minor: 5000, is_active: true },
    after: { price_minor: 4500, is_active: false },
  });
});

test('say to accounts alone where a transfer is paid to, as the audit log keeps it', async () => {
  const user = await panel.reseller({ credits: 0, group_id: '3' });
  const told = async () => (await user.client.get('/api/packages')).body.bank_details;
  expect(await told()).toBe('');
  const bank_details = 'Lines Ltd\nDE02 1203 0000 0000 2020 51';
  const edit = { bank_details };
  expect((await user.client.patch('/api/settings', edit)).status).toBe(403);
  expect((await panel.admin.patch('/api/settings', edit)).body.bank_details).toBe(bank_details);
  expect(await told()).toBe(bank_details);
  const open = (await panel.anonymous().get('/api/settings/public')).body;
  expect(JSON.stringify(open)).not.toContain('DE02');
  const [entry] = (await panel.admin.get('/api/audit?action=settings.edit')).body.items;
  expect([entry.before, entry.after]).toEqual([{ bank_details: '' }, { bank_details }]);
});

test('stand by credits, and others see those on sale', async () => {
  await create({ name: 'Large', credits: 500, price_minor: 42_500 });
  await create({ name: 'Cheap', credits: 50, price_minor: 4000 });
  await create({ name: 'Off', credits: 70, is_active: false });
  await create({ name: 'Dear' });
  expect(await namesFor()).toEqual(['Cheap', 'Dear', 'Off', 'Large']);
  const user = await panel.reseller({ credits: 0, group_id: '3' });
  expect(await namesFor(user.client)).toEqual(['Cheap', 'Dear', 'Large']);
  expect((await user.client.get('/api/packages')).body.card_payments).toBe(false);
  expect((await user.client.post('/api/packages', sample)).status).toBe(403);
});

test.each([
  [{ credits: 0 }, 'credits'],
  [{ credits: 1.5 }, 'credits'],
  [{ price_minor: 0 }, 'price_minor'],
  [{ price_minor: 100_000_000 }, 'price_minor'],
  [{ price_minor: '50' }, 'price_minor'],
  [{ currency: 'eur' }, 'currency'],
  [{ currency: 'JPY' }, 'currency'],
  [{ name: '' }, 'name'],
  [{ created_by: crypto.randomUUID() }, 'created_by'],
])('%j is refused', async (changes, field) => {
  const { status, body } = await panel.admin.post('/api/packages', { ...sample, ...changes });
  expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
});

test.each(['credits', 'price_minor'])('a part of one is refused in %s as such', async (field) => {
  const { body } = await panel.admin.post('/api/packages', { ...sample, [field]: 1.5 });
  expect(body.fields).toEqual({ [field]: 'Enter a whole number' });
});

test('there are at most a hundred', async () => {
  const { length } = await namesFor();
  const { db } = panel.services;
  const { id } = (await panel.admin.get('/api/me')).body;
  const rows = Array.from({ length: 100 - length }, () => ({
    ...sample,
    id: crypto.randomUUID(),
    created_by: id,
  }));
  await db.insertInto('credit_packages').values(rows).execute();
  expect(await panel.admin.post('/api/packages', sample)).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_PACKAGES', message: 'At most 100 packages' },
  });
});
