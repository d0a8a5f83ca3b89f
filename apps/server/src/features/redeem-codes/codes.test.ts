import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { redeemCodesList } from '@linekeeper/contract/lists/lists.ts';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel('postgres', { TIME_ZONE: 'Europe/Berlin' });
});
afterAll(() => panel?.stop());

const create = (body: object) => panel.admin.post('/api/redeem-codes', body);
const createOne = async (body: object): Promise<RedeemCode> => {
  const { status, body: reply } = await create({ credits: 10, ...body });
  expect(status).toBe(201);
  return reply.codes[0];
};
const list = async (query = '') => (await panel.admin.get(`/api/redeem-codes${query}`)).body;
const auditOf = (id: string) =>
  panel.services.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject_type', '=', 'code')
    .where('subject_id', '=', id)
    .orderBy('created_at')
    .execute();

describe('making codes', () => {
  test('one, with what the specification gives it', {
    tags: ['spec:3.23', 'spec:9.12'],
  }, async () => {
    const { id } = (await panel.admin.get('/api/me')).body;
    const code = await createOne({ credits: 25 });
    expect(code).toEqual({
      id: expect.any(String),
      code: expect.stringMatching(/^[234679CFHKMPRTXY]{4}(-[234679CFHKMPRTXY]{4}){4}$/),
      credits: 25,
      description: null,
      is_active: true,
      created_by: id,
      created_at: expect.any(String),
      max_uses: 1,
      times_used: 0,
      expires_at: null,
      status: 'active',
    });
  });

  test('a thousand at once, no two alike, with one audit entry without a code', async () => {
    const { status, body } = await create({
      credits: 5,
      count: 1000,
      description: 'Fair',
      max_uses: 2,
    });
    expect(status).toBe(201);
    const texts = new Set(body.codes.map(({ code }: RedeemCode) => code));
    expect(texts.size).toBe(1000);
    expect(body.codes[0]).toMatchObject({ credits: 5, description: 'Fair', max_uses: 2 });
    const { items } = (await panel.admin.get('/api/audit?action=code.create&q=fair')).body;
    expect(items).toMatchObject([
      {
        action: 'code.create',
        subject_name: 'Fair',
        facts: { count: 1000, credits: 5, label: 'Fair' },
        after: { credits: 5, description: 'Fair', max_uses: 2 },
        data: { count: 1000 },
      },
    ]);
    expect(body.codes.some(({ code }: RedeemCode) => JSON.stringify(items).includes(code))).toBe(
      false,
    );
    expect(await list('?q=fair')).toMatchObject({ total: 1000, total_is_exact: true });
  });

  test('one that is chosen, but not twice in any spelling', { tags: ['spec:3.23'] }, async () => {
    expect((await createOne({ code: ' Summer-26 ' })).code).toBe('Summer-26');
    for (const code of ['Summer-26', 'SUMMER26', 'sum-mer26']) {
      expect(await create({ credits: 1, code })).toMatchObject({
        status: 409,
        body: { code: 'CODE_EXISTS', message: 'This code already exists' },
      });
    }
  });

  test('today is not over yet, and what has ended can only become so', async () => {
    const code = await createOne({ expires_at: panel.services.today() });
    expect(code.status).toBe('active');
    const path = `/api/redeem-codes/${code.id}`;
    const ended = await panel.admin.patch(path, { expires_at: '2020-01-31' });
    expect(ended).toMatchObject({ status: 200, body: { code: { status: 'expired' } } });
  });

  test('a day counts to its end in the panel’s time zone, a moment as it is', async () => {
    const winter = await createOne({ expires_at: '15-01-2027' });
    const summer = await createOne({ expires_at: '2027-07-15' });
    const moment = await createOne({ expires_at: '2027-07-15T12:30:00+02:00' });
    expect([winter, summer, moment].map(({ expires_at }) => expires_at)).toEqual([
      '2027-01-15T22:59:59.999Z',
      '2027-07-15T21:59:59.999Z',
      '2027-07-15T10:30:00.000Z',
    ]);
  });

  test.each([
    [{}, 'credits', 'Credits must be greater than 0'],
    [{ credits: 0 }, 'credits', 'Credits must be greater than 0'],
    [{ credits: '5' }, 'credits', 'Credits must be greater than 0'],
    [{ credits: 1.5 }, 'credits', 'Enter a whole number'],
    [{ credits: 0.5 }, 'credits', 'Enter a whole number'],
    [{ credits: 1, count: 1.5 }, 'count', 'Enter a whole number'],
    [{ credits: 1, count: 1001 }, 'count', 'Enter 1000 or less'],
    [{ credits: 1, count: 0 }, 'count', 'Enter 1 or more'],
    [
      { credits: 1, count: 2, code: 'TWO-CODES' },
      'code',
      'To create several codes, leave the code empty: the panel generates them',
    ],
    [{ credits: 1, max_uses: 0 }, 'max_uses', 'Enter 1 or more'],
    [{ credits: 1, code: '---' }, 'code', expect.stringContaining('at least 4 letters')],
    [{ credits: 1, code: 'with space' }, 'code', expect.stringContaining('at least 4 letters')],
    [
      { credits: 1, expires_at: '30-02-2027' },
      'expires_at',
      expect.stringContaining('Enter a date'),
    ],
    [
      { credits: 1, expires_at: '2027-01-01T10:00:00' },
      'expires_at',
      expect.stringContaining('Enter'),
    ],
    [
      { credits: 1, expires_at: '2020-01-31' },
      'expires_at',
      'This time is in the past. Choose a later one.',
    ],
    [
      { credits: 1, count: 3, expires_at: '2020-01-31T12:30:00+02:00' },
      'expires_at',
      'This time is in the past. Choose a later one.',
    ],
    [{ credits: 1, times_used: 5 }, 'times_used', 'Unknown field'],
    [{ credits: 1, created_by: crypto.randomUUID() }, 'created_by', 'Unknown field'],
  ])('%j is refused', async (body, field, text) => {
    const before = (await list()).total;
    const reply = await create(body);
    expect([reply.status, reply.body.fields]).toEqual([422, { [field]: text }]);
    expect((await list()).total).toBe(before);
  });

  test('is for administrators', { tags: ['spec:6.15'] }, async () => {
    const reseller = await panel.reseller();
    for (const reply of [
      await reseller.client.get('/api/redeem-codes'),
      await reseller.client.get('/api/redeem-codes/csv'),
      await reseller.client.post('/api/redeem-codes', { credits: 1 }),
    ]) {
      expect(reply.status).toBe(403);
    }
  });
});

describe('changing a code', () => {
  test('its properties, off and on, and no expiry any more', async () => {
    const { id } = await createOne({ expires_at: '2027-01-15' });
    const patch = async (body: object) =>
      (await panel.admin.patch(`/api/redeem-codes/${id}`, body)).body;
    expect((await patch({ is_active: false })).code).toMatchObject({ status: 'inactive' });
    const changes = { credits: 99, max_uses: 4, description: 'Shop', expires_at: null };
    expect((await patch({ ...changes, is_active: true })).code).toMatchObject({
      ...changes,
      status: 'active',
    });
    expect((await patch({ description: '' })).code.description).toBeNull();
    const actions = (await auditOf(id)).map(({ action, after }) => [action, after]);
    expect(actions[1]).toEqual(['code.edit', { is_active: false }]);
    expect(actions).toHaveLength(4);
  });

  test('never to fewer uses than it had', async () => {
    const code = await createOne({ max_uses: 3 });
    for (const { client } of [await panel.reseller(), await panel.reseller()]) {
      await client.post('/api/redeem', { code: code.code });
    }
    const path = `/api/redeem-codes/${code.id}`;
    expect(await panel.admin.patch(path, { max_uses: 1 })).toMatchObject({
      status: 422,
      body: { fields: { max_uses: 'Cannot be less than the uses so far: 2' } },
    });
    expect((await panel.admin.patch(path, { max_uses: 2 })).body.code.status).toBe('used');
  });

  test('that is missing is not found', async () => {
    const path = `/api/redeem-codes/${crypto.randomUUID()}`;
    for (const reply of [
      await panel.admin.patch(path, { credits: 1 }),
      await panel.admin.delete(path),
    ]) {
      expect([reply.status, reply.body.message]).toEqual([404, 'Code not found']);
    }
  });
});

describe('the list', () => {
  const label = 'Żółta partia';
  let made: RedeemCode[];
  beforeAll(async () => {
    made = [
      await createOne({ description: label, credits: 1 }),
      await createOne({ description: label, credits: 3, is_active: false }),
      await createOne({ description: label, credits: 2, max_uses: 5, expires_at: '2050-01-01' }),
      await createOne({ description: label, credits: 4 }),
    ];
    await panel.admin.patch(`/api/redeem-codes/${made[0]?.id}`, { expires_at: '2020-01-01' });
    const { client } = await panel.reseller();
    for (const { code } of made) await client.post('/api/redeem', { code });
  });
  const q = `q=${encodeURIComponent('zolta')}`;
  const credits = async (query: string) =>
    (await list(`?${query}`)).items.map((code: RedeemCode) => code.credits);

  test('is searched by label and by code in any spelling', async () => {
    expect(await credits(q)).toEqual([4, 2, 3, 1]);
    const [, , one] = made as [RedeemCode, RedeemCode, RedeemCode];
    expect(await credits(`q=${one.code.replaceAll('-', '').slice(2, 14).toLowerCase()}`)).toEqual([
      2,
    ]);
    expect(await credits('q=%25')).toEqual([]);
  });

  test('is filtered by state', async () => {
    const states = { active: [2], inactive: [3], expired: [1], used: [4] };
    for (const [status, found] of Object.entries(states)) {
      expect([status, await credits(`${q}&status=${status}`)]).toEqual([status, found]);
    }
    expect(await credits(`${q}&status=active,used`)).toEqual([4, 2]);
  });

  test.each(redeemCodesList.sorts.flatMap((sort) => [sort, `-${sort}`]))(
    'sorted by %s goes on page by page without a gap',
    async (sort) => {
      const whole = (await list(`?${q}&sort=${sort}`)).items.map(({ id }: RedeemCode) => id);
      expect(whole).toHaveLength(4);
      const paged: string[] = [];
      let cursor = '';
      do {
        const page = await list(`?${q}&sort=${sort}&limit=1${cursor}`);
        paged.push(...page.items.map(({ id }: RedeemCode) => id));
        cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : '';
      } while (cursor);
      expect(paged).toEqual(whole);
    },
  );

  test('is sorted by what was chosen', async () => {
    expect(await credits(`${q}&sort=credits`)).toEqual([1, 2, 3, 4]);
    expect((await credits(`${q}&sort=expires_at`)).slice(0, 2)).toEqual([1, 2]);
    expect(await list('?sort=description')).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('is downloaded as CSV, all that was found and nothing that a spreadsheet runs', async () => {
    await createOne({ description: '=1+1', credits: 77 });
    const reply = await panel.admin.get('/api/redeem-codes/csv?sort=credits&q=%3D1');
    expect(reply.headers.get('content-disposition')).toMatch(/redeem-codes-.*\.csv/);
    const [row] = papaparse.parse<Record<string, string>>(reply.body.slice(1), {
      header: true,
    }).data;
    expect(row).toMatchObject({ description: "'=1+1", credits: '77', status: 'active' });
    const many = await panel.admin.get('/api/redeem-codes/csv?q=fair');
    expect(many.body.trim().split('\r\n')).toHaveLength(1001);
  });
});
