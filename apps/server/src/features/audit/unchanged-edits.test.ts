import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

interface Edited {
  path: string;
  make: object;
  /** The same values again, under the field of the reply that holds the record. */
  same: object;
  other: object;
}

const edited: Record<string, Edited> = {
  group: {
    path: '/api/groups',
    make: { name: 'Night shift', permissions: [] },
    same: { name: 'Night shift', permissions: [] },
    other: { name: 'Day shift' },
  },
  package: {
    path: '/api/packages',
    make: { name: 'Small', credits: 10, price_minor: 500, currency: 'EUR' },
    same: { name: 'Small', credits: 10 },
    other: { credits: 11 },
  },
  cannedreply: {
    path: '/api/canned-replies',
    make: { title: 'Hello', content: 'Good morning' },
    same: { title: 'Hello', content: 'Good morning' },
    other: { content: 'Good evening' },
  },
  account: {
    path: '/api/accounts',
    make: { email: 'anna@example.com', password: 'long enough for it 7', full_name: 'Anna' },
    same: { full_name: 'Anna' },
    other: { full_name: 'Anna K' },
  },
  article: {
    path: '/api/articles',
    make: { title: 'Start', body: 'First words', category: 'lines', locale: 'en' },
    same: { title: 'Start', body: 'First words' },
    other: { body: 'Other words' },
  },
};

function idIn(body: Record<string, unknown>): string {
  if (typeof body.id === 'string') return body.id;
  return (Object.values(body)[0] as { id: string }).id;
}

test.each(Object.entries(edited))(
  'an edit of a %s is told only where it changes something',
  async (_, { path, make, same, other }) => {
    const made = await panel.admin.post(path, make);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    const id = idIn(made.body);
    const edits = async () =>
      (await panel.admin.get('/api/audit?limit=100')).body.items.filter(
        ({ subject_id, action }: Record<string, string>) =>
          subject_id === id && action?.endsWith('.edit'),
      ).length;
    for (const body of [{}, same]) {
      expect((await panel.admin.patch(`${path}/${id}`, body)).status).toBe(200);
    }
    expect(await edits()).toBe(0);
    expect((await panel.admin.patch(`${path}/${id}`, other)).status).toBe(200);
    expect(await edits()).toBe(1);
  },
);

const createCode = async (body: object) =>
  (await panel.admin.post('/api/redeem-codes', { credits: 10, ...body })).body.codes[0];
const auditOf = async (id: string) =>
  (await panel.admin.get('/api/audit?subject_type=code')).body.items.filter(
    ({ subject_id }: Record<string, string>) => subject_id === id,
  );

test('an edit of a code is told only where something became different', async () => {
  const { id, credits } = await createCode({ credits: 7, expires_at: '2050-01-31' });
  const path = `/api/redeem-codes/${id}`;
  for (const body of [{}, { credits }, { credits, expires_at: '2050-01-31' }]) {
    expect((await panel.admin.patch(path, body)).status).toBe(200);
  }
  expect((await auditOf(id)).map(({ action }: Record<string, string>) => action)).toEqual([
    'code.create',
  ]);
});

test('a code is told by its name also when it was deleted later', async () => {
  const { id, code } = await createCode({});
  const path = `/api/redeem-codes/${id}`;
  const told = async () =>
    (await auditOf(id)).map((entry: Record<string, unknown>) => [
      entry.action,
      entry.subject_name,
      entry.subject_exists,
    ]);
  await panel.admin.patch(path, { credits: 8 });
  expect(await told()).toEqual([
    ['code.edit', code, true],
    ['code.create', code, true],
  ]);
  await panel.admin.delete(path);
  expect(await told()).toEqual([
    ['code.delete', code, false],
    ['code.edit', code, false],
    ['code.create', code, false],
  ]);
});
