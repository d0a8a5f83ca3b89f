// @module-tag thorough
import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../db/transaction.ts';
import { dumpWithoutJobs } from '../../../testing/database/dump.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  effects,
  jobEnd,
  previewBulk,
  readJob,
  requestBulk,
  runBulk,
  undoBulk,
} from '../../../testing/jobs.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let today: string;
let names = 0;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  await panel.addServer(agent.url, 'Frankfurt 1');
  today = panel.services.today();
});
afterEach(() => expectBalancedBooks(panel.services.db));
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

interface Sold {
  id: string;
  username: string;
  expiry_date: string;
}

async function sell({ client }: TestAccount, more: Record<string, unknown> = {}): Promise<Sold> {
  const { status, body } = await client.post('/api/lines', newLine(`ext-${names++}`, more));
  expect([status, body.code]).toEqual([201, undefined]);
  return body.line;
}
const read = async (id: string) => (await panel.admin.get(`/api/lines/${id}`)).body;
const balance = async ({ client }: TestAccount) => (await client.get('/api/me')).body.credits;
const endOn = (id: string, expiry_date: string) =>
  panel.services.db.updateTable('users').set({ expiry_date }).where('id', '=', id).execute();
const months = ({ username }: { username: string }, subscription_months = '1', more = {}) => ({
  ...{ username, subscription_months },
  ...more,
});
const extend = (...rows: object[]) => ({ action: 'import', existing: 'extend', rows });
async function quoted({ client }: TestAccount, line_id: string, subscription_months: number) {
  const quote = { action: 'renew', line_id, subscription_months };
  return (await client.post('/api/lines/quote', quote)).body.cost;
}

test('a file of months extends lines that exist, and makes the others', async () => {
  const seller = await panel.reseller({ credits: 100 });
  const [running, expired, suspended] = [
    await sell(seller),
    await sell(seller),
    await sell(seller),
  ];
  const trial = await sell(seller, { is_trial: true, subscription_months: undefined });
  await endOn(expired.id, addDays(today, -40));
  await seller.client.post(`/api/lines/${suspended.id}/suspend`, { reason: 'late' });
  const had = await balance(seller);
  const cost =
    (await quoted(seller, running.id, 12)) +
    (await quoted(seller, expired.id, 3)) +
    (await quoted(seller, suspended.id, 1)) +
    (await quoted(seller, trial.id, 1));
  const same = { password: `pw-${running.username}`, server: 'FRANKFURT 1', notes: 'not taken' };
  const request = extend(
    months(running, '12', { ...same, owner: seller.email }),
    months(expired, ' 3 '),
    months(suspended, '1', { is_suspended: 'true' }),
    months(trial, '1', { is_trial: 'no' }),
    months({ username: `ext-${names++}` }, '1', { password: 'tulip' }),
  );
  const before = await dumpWithoutJobs(panel.services.db);
  const preview = await previewBulk(seller.client, request);
  expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
  const newDay = addMonths(running.expiry_date, 12);
  expect(preview.items.map(({ error }) => error)).toEqual(Array(5).fill(null));
  expect(preview.items[0]).toMatchObject({
    line_id: running.id,
    before: { expiry_date: running.expiry_date, subscription_months: 1 },
    after: { expiry_date: newDay, subscription_months: 12 },
  });
  expect(preview).toMatchObject({ cost: cost + 2, credits: had, credits_after: had - cost - 2 });

  const job = await runBulk(seller.client, request);
  expect(job).toMatchObject({ action: 'import', done: 5, failed: 0, cost: cost + 2 });
  expect(job.arguments).toEqual({ existing: 'extend' });
  expect(effects(job)).toEqual(effects(preview));
  expect(await balance(seller)).toBe(had - cost - 2);
  const paid = await transfersOf(panel.services.db, seller.id);
  const bought = ({ line_id }: { line_id: string | null }) => line_id === running.id;
  expect(paid.filter(bought).map(({ kind }) => kind)).toEqual(['sale', 'renewal']);

  expect(await read(running.id)).toMatchObject({ expiry_date: newDay, notes: null });
  expect(await read(expired.id)).toMatchObject({ expiry_date: addMonths(today, 3) });
  expect(await read(suspended.id)).toMatchObject({
    expiry_date: addMonths(suspended.expiry_date, 1),
    suspension: { reason: 'late' },
  });
  expect(await read(trial.id)).toMatchObject({ is_trial: false, subscription_months: 1 });
  await eventually(async () => {
    const { cccam } = await readServerFiles(agent);
    expect(cccam).toContain(`F: ${job.items[4]?.username} tulip`);
    expect(cccam).not.toContain(`F: ${suspended.username} `);
    expect(await read(running.id)).toMatchObject({ sync_state: 'synced' });
  });
  const renewals = await panel.services.db
    .selectFrom('audit_log')
    .select(['action', 'data'])
    .where('subject_id', '=', running.id)
    .orderBy('id')
    .execute();
  expect(renewals.at(-1)).toMatchObject({
    action: 'line.renew',
    data: { job_id: job.id, months: 12, cost: 10 },
  });
});

describe('a row of a line that exists is refused', () => {
  let seller: TestAccount;
  let line: Sold;
  let other: TestAccount;
  beforeAll(async () => {
    await panel.addServer(agent.url, 'Lisbon 2');
    seller = await panel.reseller({ credits: 20 });
    other = await panel.reseller({ credits: 20 });
    line = await sell(seller, { server_id: await serverNamed('Frankfurt 1') });
  });
  const serverNamed = async (name: string) =>
    (await panel.admin.get('/api/servers')).body.items.find(
      ({ server_name }: { server_name: string }) => server_name === name,
    ).id;
  const reasonOf = async (request: object, client = seller.client) => {
    const before = await read(line.id);
    const { items, cost } = await previewBulk(client, request);
    const job = await requestBulk(client, { ...request, only_valid: true });
    expect([cost, job.status, job.body.code]).toEqual([0, 409, 'NOTHING_TO_DO']);
    expect(await read(line.id)).toEqual(before);
    const [item] = items;
    expect(item).toMatchObject({ state: 'skipped', line_id: null, before: null, after: null });
    return [item?.error?.field, item?.error?.code];
  };

  test('unless lines are to be extended', async () => {
    const rows = [months(line, '1', { password: `pw-${line.username}` })];
    for (const more of [{}, { existing: 'refuse' }]) {
      const reason = await reasonOf({ action: 'import', rows, ...more });
      expect(reason).toEqual([null, 'LINE_EXISTS']);
    }
    const wrong = await requestBulk(seller.client, { action: 'import', rows, existing: 'both' });
    expect([wrong.status, wrong.body.fields]).toEqual([422, { existing: 'Invalid value' }]);
  });

  test.each([
    ['without months', { subscription_months: '' }, 'subscription_months', 'EXTENDED_BY_MONTHS'],
    ['with a day', { expiry_date: '31-12-2099' }, 'expiry_date', 'EXTENDED_BY_MONTHS'],
    ['as a trial', { is_trial: 'yes' }, 'is_trial', 'EXTENDED_BY_MONTHS'],
    ['with another password', { password: 'pw' }, 'password', 'DIFFERS_FROM_LINE'],
    ['with another server', { server: 'Lisbon 2' }, 'server', 'DIFFERS_FROM_LINE'],
    ['with a server that is none', { server: 'Nowhere' }, 'server', 'DIFFERS_FROM_LINE'],
    ['with another owner', { owner: 'nobody@panel.example' }, 'owner', 'DIFFERS_FROM_LINE'],
    ['that is off at its source', { is_suspended: 'yes' }, 'status', 'DIFFERS_FROM_LINE'],
    [
      'with months that nobody sells',
      { subscription_months: '7' },
      'subscription_months',
      'INVALID_SUBSCRIPTION_MONTHS',
    ],
    [
      'with months that are none',
      { subscription_months: '-1' },
      'subscription_months',
      'INVALID_SUBSCRIPTION_MONTHS',
    ],
    ['with a cell that cannot be', { email: 'no mail' }, 'email', 'INVALID_EMAIL'],
    ['with an unknown cell', { term: '3' }, 'term', 'UNKNOWN_FIELD'],
  ])('%s', async (_, more, field, code) => {
    expect(await reasonOf(extend(months(line, '1', more)))).toEqual([field, code]);
  });

  test('with the id of another server', async () => {
    const server_id = await serverNamed('Lisbon 2');
    const reason = await reasonOf(extend(months(line, '1', { server_id })));
    expect(reason).toEqual(['server_id', 'DIFFERS_FROM_LINE']);
  });

  test('past the last day that can be entered', async () => {
    await endOn(line.id, '2099-12-01');
    const reason = await reasonOf(extend(months(line)));
    expect(reason).toEqual(['subscription_months', 'EXPIRY_TOO_LATE']);
    await endOn(line.id, line.expiry_date);
  });

  test('of somebody else, in the words of any name that is taken', async () => {
    const taken = ['username', 'USERNAME_EXISTS'];
    for (const password of ['pw', `pw-${line.username}`]) {
      const request = extend(months(line, '1', { password }));
      expect(await reasonOf(request, other.client)).toEqual(taken);
    }
    const without = await reasonOf(extend(months(line)), other.client);
    expect(without).toEqual(['password', 'USERNAME_AND_PASSWORD_REQUIRED']);
    const nobody = await previewBulk(other.client, extend(months({ username: 'nobody-has-it' })));
    expect(nobody.items[0]?.error).toMatchObject({ code: 'USERNAME_AND_PASSWORD_REQUIRED' });
  });

  test('twice, the second time', async () => {
    const { items, cost } = await previewBulk(seller.client, extend(months(line), months(line)));
    expect(cost).toBe(2);
    expect(items[1]?.error).toMatchObject({ code: 'DUPLICATE_IN_FILE', data: { row: 1 } });
  });
});

test('an account pays for the lines below it as for its own', async () => {
  const above = await panel.reseller({ credits: 10 });
  const below = await panel.below(above, { credits: 2 });
  const line = await sell(below);
  const row = months(line, '1', { owner_email: below.email });
  expect(await runBulk(above.client, extend(row))).toMatchObject({ done: 1, cost: 2 });
  expect([await balance(above), await balance(below)]).toEqual([6, 0]);
  expect(await read(line.id)).toMatchObject({ owner_id: below.id });
});

test('an administrator extends the lines of all, for nothing and by any number', async () => {
  const seller = await panel.reseller({ credits: 10 });
  const line = await sell(seller);
  const had = await balance(seller);
  const job = await runBulk(panel.admin, extend(months(line, '7', { owner: seller.id })));
  expect(job).toMatchObject({ done: 1, cost: 0 });
  expect(await read(line.id)).toMatchObject({ expiry_date: addMonths(line.expiry_date, 7) });
  expect(await balance(seller)).toBe(had);
});

describe('without the credits', () => {
  test('nothing is ordered', async () => {
    const seller = await panel.reseller({ credits: 11 });
    const line = await sell(seller);
    const row = months({ username: `ext-${names++}` }, '1', { password: 'pw' });
    const request = extend(months(line, '12'), row);
    expect(await previewBulk(seller.client, request)).toMatchObject({ credits_after: 9 - 12 });
    expect(await requestBulk(seller.client, request)).toMatchObject({
      status: 409,
      body: { message: 'Insufficient credits. Required: 12, Available: 9' },
    });
    expect(await read(line.id)).toMatchObject({ expiry_date: line.expiry_date });
    expect(await balance(seller)).toBe(9);
  });

  test('of two files at once the second does nothing, and says what all of it costs', async () => {
    const seller = await panel.reseller({ credits: 11 });
    const lines = [await sell(seller), await sell(seller)];
    const ids = await Promise.all(
      lines.map(async (line) => {
        const row = months({ username: `ext-${names++}` }, '1', { password: 'pw' });
        return (await requestBulk(seller.client, extend(months(line), row))).body.job?.id;
      }),
    );
    const jobs = await Promise.all(ids.filter(Boolean).map((id) => jobEnd(seller.client, id)));
    expect(jobs.filter(({ done }) => done === 2)).toHaveLength(1);
    for (const { cost, items } of jobs.filter(({ done }) => done !== 2)) {
      expect(cost).toBe(0);
      for (const { error } of items) {
        expect(error?.message).toBe('Insufficient credits. Required: 4, Available: 3');
      }
    }
    expect(await balance(seller)).toBe(3);
    const ends = await Promise.all(lines.map(async ({ id }) => (await read(id)).expiry_date));
    const [first, second] = lines.map(({ expiry_date }) => [
      expiry_date,
      addMonths(expiry_date, 1),
    ]);
    expect(ends.toSorted()).toEqual([first?.[0], second?.[1]].toSorted());
  });
});

test('beside renewals of the same line each month is given and paid once', async () => {
  const seller = await panel.reseller({ credits: 50 });
  const line = await sell(seller);
  const had = await balance(seller);
  const renew = () => seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
  const [first, , second] = await Promise.all([
    requestBulk(seller.client, extend(months(line))),
    renew(),
    requestBulk(seller.client, extend(months(line))),
    renew(),
  ]);
  for (const { body } of [first, second]) {
    expect(await jobEnd(seller.client, body.job.id)).toMatchObject({ done: 1, cost: 2 });
  }
  let expected = line.expiry_date;
  for (let month = 0; month < 4; month++) expected = addMonths(expected, 1);
  expect(await read(line.id)).toMatchObject({ expiry_date: expected });
  expect(await balance(seller)).toBe(had - 8);
});

test('the same order sent again extends once', async () => {
  const seller = await panel.reseller({ credits: 50 });
  const line = await sell(seller);
  const had = await balance(seller);
  const key = { 'idempotency-key': 'extend-once' };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () =>
      seller.client.post('/api/lines/bulk', extend(months(line)), key),
    ),
  );
  const ids = new Set(replies.map(({ body }) => body.job.id));
  expect(ids.size).toBe(1);
  await jobEnd(seller.client, [...ids][0]);
  const again = await seller.client.post('/api/lines/bulk', extend(months(line)), key);
  expect(again.body.job.id).toBe([...ids][0]);
  expect(await read(line.id)).toMatchObject({ expiry_date: addMonths(line.expiry_date, 1) });
  expect(await balance(seller)).toBe(had - 2);
});

test('a line that went to somebody else meanwhile stops the whole file', async () => {
  const seller = await panel.reseller({ credits: 50 });
  const other = await panel.reseller();
  const [line, kept] = [await sell(seller), await sell(seller)];
  const had = await balance(seller);
  const id = await transact(panel.services.db, async (tx) => {
    // The job waits until this lock is released.
    await tx.updateTable('users').set({ owner_id: other.id }).where('id', '=', line.id).execute();
    const row = months({ username: `ext-${names++}` }, '1', { password: 'pw' });
    const request = extend(months(line), months(kept), row);
    const { body } = await requestBulk(seller.client, request);
    await eventually(async () =>
      expect((await readJob(seller.client, body.job.id)).state).toBe('running'),
    );
    return body.job.id;
  });
  const job = await jobEnd(seller.client, id);
  expect(job.items.map(({ state, error }) => [state, error?.code])).toEqual([
    ['failed', 'LINE_NOT_FOUND'],
    ['failed', 'IMPORT_HAS_INVALID_ROWS'],
    ['failed', 'IMPORT_HAS_INVALID_ROWS'],
  ]);
  expect(await balance(seller)).toBe(had);
  expect(await read(kept.id)).toMatchObject({ expiry_date: kept.expiry_date });
});

test('undone, an import deletes what it made and puts back what it extended', async () => {
  const seller = await panel.reseller({ credits: 50 });
  const [line, changed, expired] = [await sell(seller), await sell(seller), await sell(seller)];
  await endOn(expired.id, addDays(today, -3));
  const had = await balance(seller);
  const fresh = `ext-${names++}`;
  const job = await runBulk(
    seller.client,
    extend(
      ...[months(line), months(changed), months(expired)],
      months({ username: fresh }, '1', { password: 'pw' }),
    ),
  );
  expect(await balance(seller)).toBe(had - 8);
  await seller.client.post(`/api/lines/${changed.id}/renew`, { subscription_months: 1 });
  await eventually(async () => {
    const { items } = (await seller.client.get(`/api/lines?q=${fresh}`)).body;
    expect(items).toMatchObject([{ on_server: true }]);
  });
  const undo = await undoBulk(seller.client, job.id);
  expect(undo.items.map(({ state, error }) => [state, error?.code])).toEqual([
    ['done', undefined],
    ['failed', 'LINE_CHANGED_SINCE'],
    ['failed', 'UNDO_WOULD_EXPIRE'],
    ['done', undefined],
  ]);
  expect(await read(line.id)).toMatchObject({ expiry_date: line.expiry_date });
  expect(await read(expired.id)).toMatchObject({ expiry_date: addMonths(today, 1) });
  expect((await seller.client.get(`/api/lines?q=${fresh}`)).body.items).toEqual([]);
  // Two sales are refunded; the two remaining lines and the renewal are paid.
  expect(await balance(seller)).toBe(had - 6);
});
