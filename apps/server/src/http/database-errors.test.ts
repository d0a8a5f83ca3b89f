import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLine } from '../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel('postgres');
  await panel.addServer(agent.url);
  seller = await panel.reseller();
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
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
    [
      '53100',
      'The disk of the database is full. Nothing can be changed until there is space again.',
    ],
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
