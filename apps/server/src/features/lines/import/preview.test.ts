import { addDays } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectPostgres } from '../../../db/connect.ts';
import { transact } from '../../../db/transaction.ts';
import { previewBulk } from '../../../testing/jobs.ts';
import { holdChecks } from '../../../testing/loops.ts';
import { startTestShop, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: { url: string };
let server: string;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, agent, serverId: server } = shop);
  await holdChecks(panel.services.db);
  return shop.stop;
});
afterAll(() => vi.restoreAllMocks());

const row = (username: string, more: object = {}) => ({
  username,
  password: 'pw',
  subscription_months: '1',
  ...more,
});
const trial = (username: string, more: object = {}) =>
  row(username, { subscription_months: '', is_trial: 'yes', ...more });
const preview = (client: TestPanel['admin'], rows: object[]) =>
  previewBulk(client, { action: 'import', rows });
const codesOf = ({ items }: { items: { error: { code: string } | null }[] }) =>
  items.map(({ error }) => error?.code ?? null);
const setMaximum = (max_lines: number | null) =>
  panel.admin.patch(`/api/servers/${server}`, { max_lines });

test('a preview waits for no change of a server with a limit, and keeps none waiting', async () => {
  await setMaximum(5);
  onTestFinished(() => setMaximum(null).then(() => {}));
  const seller = await panel.reseller();
  const other = await connectPostgres(panel.env.DATABASE_URL ?? '');
  onTestFinished(() => other.close());
  await transact(other.db, async (tx) => {
    await sql`select id from cccam_servers for update`.execute(tx);
    expect(codesOf(await preview(seller.client, [row('unlocked')]))).toEqual([null]);
  });
});

test('a refused row takes no place and no trial of the rows behind it', async () => {
  await setMaximum(1);
  onTestFinished(() => setMaximum(null).then(() => {}));
  await panel.admin.patch('/api/settings', { trial_limit: 1 });
  const seller = await panel.reseller();
  const ahead = addDays(panel.services.today(), 5);
  const rows = [
    trial('begins-later', { added_date: ahead }),
    row('begins-later-2', { added_date: ahead }),
    trial('has-the-place'),
    row('has-none'),
  ];
  expect(codesOf(await preview(seller.client, rows))).toEqual([
    'INVALID_VALUE',
    'INVALID_VALUE',
    null,
    'NO_SERVER_TAKES_LINES',
  ]);
});

test('what a preview asks of names is asked once, however many rows and servers there are', async () => {
  const seller = await panel.reseller();
  await panel.admin.patch('/api/settings', { trial_limit: 1000, trial_daily_limit: 1000 });
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const countAsked = async (rows: object[]) => {
    query.mockClear();
    await preview(seller.client, rows);
    const texts = query.mock.calls.map(([asked]) =>
      typeof asked === 'string' ? asked : String((asked as { text?: string }).text),
    );
    return ['names_by_hand', 'sent_name', 'made.username'].map(
      (what) => texts.filter((text) => text.includes(what)).length,
    );
  };
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => trial(`asked-once-with-20-${index}`.slice(-20)));
  const ofTwo = await countAsked(many(2));
  expect(ofTwo.every((count) => count > 0)).toBe(true);
  // The number is smaller, because a statement that is already prepared is sent without its text.
  const ofMany = await countAsked(many(60));
  for (const name of ['Second', 'Third']) await panel.addServer(agent.url, name);
  const ofServers = await countAsked(many(60));
  for (const [index, count] of ofTwo.entries()) {
    expect(ofMany[index]).toBeLessThanOrEqual(count);
    expect(ofServers[index]).toBeLessThanOrEqual(count);
  }
});
