import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { previewBulk, runBulk } from '../../../testing/jobs.ts';
import { readServerFiles } from '../../../testing/lines.ts';
import { holdChecks } from '../../../testing/loops.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
let older: { id: string };
let newer: { id: string };
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  await holdChecks(panel.services.db);
  older = await panel.addServer(agent.url, 'N1');
  newer = await panel.addServer(agent.url, 'N2');
  seller = await panel.reseller({ credits: 100 });
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

/** Plans a row that has these fields in addition to the required ones. */
async function judge(more: object, client = seller.client) {
  const row = { username: 'row', password: 'pw', subscription_months: '1', ...more };
  const { items } = await previewBulk(client, { action: 'import', rows: [row] });
  return items[0];
}

const refused = (field: string, code: string) => ({ after: null, error: { field, code } });

describe('a row of an import', () => {
  test.each([
    { server: 5 },
    { server: 0 },
    { server: true },
    { server: false },
    { server: ['N1'] },
    { server: { name: 'N1' } },
    { added_date: 5 },
    { owner_email: ['x'] },
  ])('is refused where a name is no text: %j', async (more) => {
    expect(await judge(more)).toMatchObject(refused(Object.keys(more)[0] ?? '', 'INVALID_VALUE'));
  });

  test.each([
    ['soon'],
    ['31.12.2020'],
    ['2020-02-30'],
    ['1830297600'],
    ['0'],
    // Nobody has sold a line on this day yet.
    ['2099-12-31'],
  ])('is refused where the day of adding is %j', async (added_date) => {
    const refusal = refused('added_date', 'INVALID_VALUE');
    expect(await judge({ added_date })).toMatchObject(refusal);
    expect(await judge({ added_date }, panel.admin)).toMatchObject(refusal);
  });

  test('has the day of adding as files of the panel write it, or none', async () => {
    for (const added_date of ['31-12-2020', ' 2020-12-31 ', '', ' ', null]) {
      expect(await judge({ added_date }, panel.admin)).toMatchObject({ error: null });
    }
  });

  test('that names a server by name and id takes it where both mean the same', async () => {
    const { id } = older;
    expect(await judge({ server: 'n1', server_id: id })).toMatchObject({
      after: { server_id: id },
    });
    expect(await judge({ server: 'N1' })).toMatchObject({ after: { server_id: id } });
    expect(await judge({ server: '' })).toMatchObject({ after: { server_id: newer.id } });
    expect(await judge({ server: null })).toMatchObject({ after: { server_id: newer.id } });
    const contrary = await judge({ server: 'N1', server_id: newer.id });
    expect(contrary).toMatchObject(refused('server', 'INVALID_VALUE'));
    const nowhere = { server_id: crypto.randomUUID() };
    expect(await judge(nowhere)).toMatchObject(refused('server_id', 'SERVER_NOT_FOUND'));
    expect(await judge({ ...nowhere, server: 'N1' })).toMatchObject(
      refused('server_id', 'SERVER_NOT_FOUND'),
    );
  });

  test('takes nothing inside a cell that it does not know', async () => {
    const status = [{ label: 'x', zzz: 1 }];
    expect(await judge({ status })).toMatchObject(refused('status.0.zzz', 'UNKNOWN_FIELD'));
    expect(await judge({ status: [{ label: 'x' }] })).toMatchObject({ error: null });
  });

  test('is no sale to somebody else, unless an administrator imports it', async () => {
    const other = await panel.reseller({ credits: 0 });
    const { email } = (await other.client.get('/api/me')).body;
    expect(await judge({ owner_email: email })).toMatchObject(
      refused('owner_email', 'ADMIN_ONLY_FIELD'),
    );
    expect(await judge({ owner_email: email }, panel.admin)).toMatchObject({ error: null });
    const own = (await seller.client.get('/api/me')).body.email.toUpperCase();
    expect(await judge({ owner_email: ` ${own} ` })).toMatchObject({ error: null });
  });

  test('belongs to the account that is named by email or id', async () => {
    const other = await panel.reseller({ credits: 0 });
    const { email } = (await other.client.get('/api/me')).body;
    const mine = { after: { owner_id: other.id }, owner_email: email, error: null };
    expect(await judge({ owner: ` ${email.toUpperCase()} ` }, panel.admin)).toMatchObject(mine);
    expect(await judge({ owner: other.id }, panel.admin)).toMatchObject(mine);
    expect(await judge({ owner_email: email }, panel.admin)).toMatchObject(mine);
    expect(await judge({ owner: email })).toMatchObject(refused('owner', 'ADMIN_ONLY_FIELD'));
    const nobody = await judge({ owner: 'nobody@panel.example' }, panel.admin);
    expect(nobody).toMatchObject(refused('owner', 'USER_NOT_FOUND'));
    const two = await judge({ owner: email, owner_id: seller.id }, panel.admin);
    expect(two).toMatchObject(refused('owner', 'INVALID_VALUE'));
    // Anybody may choose this username, so it can be in anybody's file.
    await other.client.patch('/api/me', { username: 'chosen' });
    expect((await panel.admin.get(`/api/accounts/${other.id}`)).body.username).toBe('chosen');
    const chosen = await judge({ owner: 'chosen' }, panel.admin);
    expect(chosen).toMatchObject(refused('owner', 'USER_NOT_FOUND'));
    expect(chosen?.owner_email).toBeNull();
    expect((await judge({}))?.owner_email).toBeNull();
  });

  test.each([
    { is_suspended: 'yes' },
    { is_suspended: true },
    { is_suspended: true, status: 'vip' },
    { status: '0' },
    { status: 'Gesperrt' },
    { is_suspended: 'no', status: 'vip|suspended' },
  ])('that was off at its source is suspended: %j', async (more) => {
    expect(await judge(more)).toMatchObject({
      after: { status: [{ label: 'suspended' }] },
      error: null,
    });
  });

  test.each([{ status: 'Banned' }, { status: 'vip' }, { is_suspended: 'Banned' }])(
    'with a state that the panel does not know needs a choice: %j',
    async (more) => {
      const [[field, text] = []] = Object.entries(more);
      const error = { field, code: 'STATE_WITHOUT_CHOICE', data: { text } };
      expect(await judge(more)).toMatchObject({ after: null, error });
      const row = { username: 'asked', password: 'pw', subscription_months: '1', ...more };
      const other = { ...row, username: 'other', [`${field}`]: '' };
      const itemsFor = async (choice: string) =>
        (
          await previewBulk(seller.client, {
            action: 'import',
            rows: [row, other],
            states: { banned: choice, VIP: choice },
          })
        ).items;
      expect(await itemsFor('off')).toMatchObject([
        { after: { status: [{ label: 'suspended' }] }, error: null },
        { error: null },
      ]);
      const [on] = await itemsFor('on');
      expect(on?.error).toBeNull();
      expect(on?.after).not.toHaveProperty('status');
      expect(await itemsFor('leave_out')).toMatchObject([{ position: 2, username: 'other' }]);
    },
  );

  test('runs with any other label where another column says its state', async () => {
    expect(await judge({ status: 'vip', is_suspended: 'no' })).toMatchObject({ error: null });
    expect(await judge({ is_suspended: 'no' })).toMatchObject({ error: null });
  });

  test('has the one date of its notes for its last day, in the order that is picked', async () => {
    const judgeNotes = async (notes: string, date_order?: string) => {
      const rows = [{ username: 'noted', password: 'pw', notes }];
      const { items } = await previewBulk(panel.admin, { action: 'import', rows, date_order });
      return items[0]?.error?.code ?? items[0]?.after?.expiry_date;
    };
    expect(await judgeNotes('until 31-12-2087', 'd-m-y')).toBe('2087-12-31');
    expect(await judgeNotes('2087-12-31, paid', 'y-m-d')).toBe('2087-12-31');
    const none = 'TRIAL_OR_SUBSCRIPTION';
    expect(await judgeNotes('until 31-12-2087')).toBe(none);
    expect(await judgeNotes('until 31-12-2087', 'none')).toBe(none);
    expect(await judgeNotes('until 31-12-2087', 'y-m-d')).toBe(none);
    expect(await judgeNotes('31-12-2087 or 31-01-2088', 'd-m-y')).toBe(none);
  });

  test('has months or a day, of an administrator, too', async () => {
    const both = { expiry_date: '31-12-2099' };
    for (const client of [seller.client, panel.admin]) {
      expect(await judge(both, client)).toMatchObject(refused('expiry_date', 'MONTHS_OR_DATE'));
    }
  });

  test('is refused where another of its name stands above, whatever became of that', async () => {
    const row = { username: 'twice', password: 'pw', subscription_months: '1' };
    const other = { ...row, username: 'nameless' };
    const rows = [
      { ...row, password: '' },
      { ...row, server: 'Mars' },
      row,
      { ...other, username: '' },
      { ...other, username: '' },
    ];
    const { items } = await previewBulk(seller.client, { action: 'import', rows });
    expect(items.map(({ error }) => error?.code)).toEqual([
      'USERNAME_AND_PASSWORD_REQUIRED',
      'DUPLICATE_IN_FILE',
      'DUPLICATE_IN_FILE',
      'USERNAME_AND_PASSWORD_REQUIRED',
      'USERNAME_AND_PASSWORD_REQUIRED',
    ]);
  });

  test('that was off is on no server until it is resumed, and keeps the day it was added', async () => {
    const row = { username: 'was-off', password: 'pw', subscription_months: '1', server: 'N1' };
    const rows = [
      { ...row, is_suspended: 'true', added_date: '2020-05-06', status: 'vip' },
      { ...row, username: 'was-on', added_date: '2020-05-06' },
    ];
    expect((await runBulk(panel.admin, { action: 'import', rows })).items).toMatchObject([
      { error: null },
      { error: null },
    ]);
    const lineNamed = async (name: string) =>
      (await panel.admin.get(`/api/lines?q=${name}`)).body.items[0];
    const off = await lineNamed('was-off');
    expect(off).toMatchObject({
      added_date: '2020-05-06',
      status: [{ label: 'suspended' }],
      suspension: { can_resume: true },
    });
    await eventually(async () => {
      const { cccam } = await readServerFiles(agent);
      expect(cccam).toContain('F: was-on pw');
      expect(cccam).not.toContain('was-off');
      expect((await lineNamed('was-off')).sync_state).toBe('synced');
    });
    expect((await panel.admin.post(`/api/lines/${off.id}/resume`, {})).status).toBe(200);
    expect(await lineNamed('was-off')).toMatchObject({ status: [{ label: 'vip' }] });
    await eventually(async () => {
      expect((await readServerFiles(agent)).cccam).toContain('F: was-off pw');
    });
    // A line that was sold today has today as its date.
    await runBulk(seller.client, {
      action: 'import',
      rows: [{ ...row, username: 'sold-now', added_date: '2020-05-06' }],
    });
    expect(await lineNamed('sold-now')).toMatchObject({ added_date: panel.services.today() });
  });
});
