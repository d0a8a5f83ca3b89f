import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { newLine } from '../testing/lines.ts';
import {
  startTestPanel,
  startTestShop,
  type TestAccount,
  type TestPanel,
} from '../testing/panel.ts';
import { metricsOf } from '../testing/wire/metrics.ts';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  ({ panel } = await startTestShop());
  seller = await panel.reseller();
});

test.each([
  ['53100', 'a full disk', 'DISK_FULL'],
  ['53200', 'no memory', 'CREDITS_NOT_DEDUCTED'],
  ['53300', 'too many connections', 'CREDITS_NOT_DEDUCTED'],
  ['57P01', 'a server that ends', 'CREDITS_NOT_DEDUCTED'],
  ['57P02', 'a server that crashed', 'CREDITS_NOT_DEDUCTED'],
  ['57P03', 'a server that begins', 'CREDITS_NOT_DEDUCTED'],
  ['58030', 'a disk that fails', 'CREDITS_NOT_DEDUCTED'],
  ['08006', 'a lost connection', 'CREDITS_NOT_DEDUCTED'],
  ['28P01', 'a password that was changed', 'CREDITS_NOT_DEDUCTED'],
  ['3D000', 'a database that was moved away', 'CREDITS_NOT_DEDUCTED'],
])(
  'a sale that ends in %s (%s) is 503, costs nothing, and is made when sent again',
  async (state, _, code) => {
    const { query } = panel.services.connection;
    await query(`create function fail_for_test() returns trigger language plpgsql as
    $$ begin raise exception 'for a test' using errcode = '${state}'; end $$`);
    await query(`create trigger fail_for_test before insert on users
    for each statement execute function fail_for_test()`);
    const { credits } = (await seller.client.get('/api/me')).body;
    const sell = () =>
      seller.client.post('/api/lines', newLine(`line-${state}`), { 'idempotency-key': state });
    expect(await sell()).toMatchObject({ status: 503, body: { code } });
    expect((await seller.client.get('/api/me')).body.credits).toBe(credits);
    await query('drop function fail_for_test() cascade');
    expect(await sell()).toMatchObject({ status: 201, body: { credits: credits - 2 } });
  },
);

const full = { status: 503, body: { status: 'unavailable', database: 'full' } };

test('after a change that found no space, /ready and the metrics say it', async () => {
  const other = await startTestPanel('postgres');
  const { query } = other.services.connection;
  expect((await other.admin.get('/ready')).status).toBe(200);
  expect(await metricsOf(other.url)).toMatchObject({ linekeeper_disk_full: 0 });
  await query(`create function fail_for_test() returns trigger language plpgsql as
    $$ begin raise exception 'for a test' using errcode = '53100'; end $$`);
  await query(`create trigger fail_for_test before update on auth_users
    for each statement execute function fail_for_test()`);
  expect((await other.admin.patch('/api/me', { full_name: 'Full' })).status).toBe(503);
  expect(await other.admin.get('/ready')).toMatchObject(full);
  expect(await metricsOf(other.url)).toMatchObject({ linekeeper_disk_full: 1 });
});

test('while the database is read-only, /ready and the metrics say it', async () => {
  const other = await startTestPanel('postgres');
  const name = new URL(other.env.DATABASE_URL ?? '').pathname.slice(1);
  const { query } = other.services.connection;
  const setReadOnly = async (value: 'on' | 'off') => {
    await query(
      `begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`,
    );
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
  };
  await setReadOnly('on');
  await eventually(async () => expect(await other.admin.get('/ready')).toMatchObject(full));
  expect(await metricsOf(other.url)).toMatchObject({ linekeeper_disk_full: 1 });
  await setReadOnly('off');
  await eventually(async () => expect((await other.admin.get('/ready')).status).toBe(200));
});

test('a ticket that the database does not take says so in the words of its call, and why', {
  tags: ['spec:8.34'],
}, async () => {
  const { query } = panel.services.connection;
  const open = () =>
    seller.client.post(
      '/api/tickets',
      { title: 'Away', description: 'Text' },
      { 'idempotency-key': 'away' },
    );
  for (const [state, reason] of [
    ['53200', 'Could not retrieve user data. Please check your connection and try again.'],
    ['53100', 'The database’s disk is full. Nothing can be changed until there is space again.'],
  ]) {
    await query(`create function fail_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'for a test' using errcode = '${state}'; end $$`);
    await query(`create trigger fail_for_test before insert on tickets
      for each statement execute function fail_for_test()`);
    expect(await open()).toMatchObject({
      status: 503,
      body: { code: 'TICKET_NOT_CREATED', message: `Failed to create ticket: ${reason}` },
    });
    await query('drop function fail_for_test() cascade');
  }
  expect((await open()).status).toBe(201);
  expect((await open()).headers.get('idempotency-replayed')).toBe('true');
});
