// @module-tag thorough
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { previewBulk, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
let seller: TestAccount;
let names = 0;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, agent } = shop);
  seller = await panel.reseller({ credits: 1000 });
  return shop.stop;
});

async function sellTwo() {
  const lines = [];
  for (let line = 0; line < 2; line++) {
    const { body } = await seller.client.post('/api/lines', newLine(`bulk-off${names++}`));
    lines.push(body.line as { id: string; username: string });
  }
  return { ids: lines.map(({ id }) => id), usernames: lines.map(({ username }) => username) };
}
const read = async (id = '') => (await seller.client.get(`/api/lines/${id}`)).body;
/** The names that the server has, once it has loaded all changes. */
async function served(usernames: string[], expected: boolean[]) {
  await eventually(async () => {
    const { cccam } = await readServerFiles(agent);
    expect(usernames.map((name) => cccam.includes(`F: ${name} `))).toEqual(expected);
  });
}

test('many lines are suspended by a job and come back by another', async () => {
  const { ids, usernames } = await sellTwo();
  const off = { action: 'suspend', ids, reason: 'not paid' };
  const preview = await previewBulk(seller.client, off);
  expect(preview).toMatchObject({ cost: 0, skipped: 0, arguments: { reason: 'not paid' } });
  expect(preview.items[0]?.after).toMatchObject({ status: [{ label: 'suspended' }] });
  expect((await read(ids[0])).suspension).toBeNull();
  expect(await runBulk(seller.client, off)).toMatchObject({ done: 2, failed: 0 });
  await served(usernames, [false, false]);
  expect((await read(ids[1])).suspension).toMatchObject({ reason: 'not paid', by: seller.email });
  const again = await requestBulk(seller.client, off);
  expect([again.status, again.body.code]).toEqual([409, 'NOTHING_TO_DO']);
  expect(await runBulk(seller.client, { action: 'resume', ids })).toMatchObject({ done: 2 });
  await served(usernames, [true, true]);
});

test('a filter finds the suspended ones, and those of an account above are skipped', async () => {
  const { ids, usernames } = await sellTwo();
  await seller.client.post(`/api/lines/${ids[0]}/suspend`, {});
  await panel.admin.post(`/api/lines/${ids[1]}/suspend`, { reason: 'abuse' });
  const found = { action: 'resume', filter: { status: 'suspended' } };
  const preview = await previewBulk(seller.client, found);
  expect(preview.items.map(({ username, error }) => [username, error?.code]).sort()).toEqual([
    [usernames[0], undefined],
    [usernames[1], 'SUSPENDED_FROM_ABOVE'],
  ]);
  expect(await runBulk(seller.client, found)).toMatchObject({ done: 1, skipped: 1 });
  await served(usernames, [true, false]);
  expect(await runBulk(panel.admin, { action: 'resume', ids })).toMatchObject({ done: 1 });
  await served(usernames, [true, true]);
});

test('both are undone, unless an account above has suspended the line since', async () => {
  const { ids, usernames } = await sellTwo();
  const off = await runBulk(seller.client, { action: 'suspend', ids, reason: 'by mistake' });
  await served(usernames, [false, false]);
  await panel.admin.post(`/api/lines/${ids[1]}/suspend`, {});
  const undo = await undoBulk(seller.client, off.id);
  expect(undo).toMatchObject({ done: 1, failed: 1 });
  expect(undo.items[1]?.error?.code).toBe('LINE_CHANGED_SINCE');
  await served(usernames, [true, false]);
  const back = await runBulk(panel.admin, { action: 'resume', ids });
  await served(usernames, [true, true]);
  expect(await undoBulk(panel.admin, back.id)).toMatchObject({ done: 1 });
  await served(usernames, [true, false]);
  expect((await read(ids[1])).suspension).toMatchObject({ can_resume: false });
});

test('renewing and editing many leaves suspended ones off', async () => {
  const { ids, usernames } = await sellTwo();
  await seller.client.post(`/api/lines/${ids[0]}/suspend`, {});
  const renewed = await runBulk(seller.client, { action: 'renew', ids, subscription_months: 1 });
  expect(renewed).toMatchObject({ done: 2, cost: 4 });
  const edited = await runBulk(seller.client, { action: 'edit', ids, status: 'inactive' });
  expect(edited.items.map(({ error }) => error?.code)).toEqual(['NOT_BY_STATUS', undefined]);
  await eventually(async () => expect((await read(ids[1])).sync_state).toBe('synced'));
  await served(usernames, [false, true]);
  expect(await undoBulk(seller.client, renewed.id)).toMatchObject({ cost: -4 });
  await served(usernames, [false, true]);
});
