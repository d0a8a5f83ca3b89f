// @module-tag thorough
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lockOutChanges } from '../../domain/accounts/authorization.ts';
import { eventually } from '../../testing/eventually.ts';
import { jobEnd, requestBulk } from '../../testing/jobs.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { countWaiting } from '../../testing/loops.ts';
import { databases, startTestShop, type TestAccount } from '../../testing/panel.ts';

type Shop = Awaited<ReturnType<typeof startTestShop>>;

const suspended = ({ panel }: Shop, { id }: TestAccount) =>
  panel.services.db
    .selectFrom('users')
    .select(['username', 'suspension'])
    .where('owner_id', '=', id)
    .execute();

const balance = async ({ panel }: Shop, { id }: TestAccount) =>
  (await panel.admin.get(`/api/accounts/${id}`)).body.credits;

describe.each(databases)('sales that a ban with its lines meets on %s', (kind) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startTestShop(kind);
  });
  afterAll(() => shop?.stop());

  test('are either refused for nothing, or sold and suspended', async () => {
    const { panel } = shop;
    const seller = await panel.reseller({ credits: 100 });
    const selling = Array.from({ length: 24 }, (_, at) =>
      seller.client.post('/api/lines', newLine(`met-${at}`)),
    );
    await Promise.race(selling);
    const banned = await panel.admin.post(`/api/accounts/${seller.id}/ban`, {
      suspend_lines: true,
    });
    const statuses = (await Promise.all(selling)).map(({ status }) => status);
    for (const id of banned.body.job_ids) await jobEnd(panel.admin, id);
    const lines = await suspended(shop, seller);
    expect(new Set(statuses).isSubsetOf(new Set([200, 201, 401]))).toBe(true);
    expect(lines).toHaveLength(statuses.filter((status) => status < 300).length);
    expect(lines.filter(({ suspension }) => suspension === null)).toEqual([]);
    expect(await balance(shop, seller)).toBe(100 - 2 * lines.length);
    await expectBalancedBooks(panel.services.db);
  });
});

describe('a change that is on its way', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startTestShop();
  });
  afterAll(() => shop?.stop());

  const waiting = (count: number) =>
    eventually(async () => expect(await countWaiting(shop.panel.services.db)).toBe(count));

  /** Makes new lines wait for the server's row until the returned function is called. */
  async function holdServer() {
    const holding = await shop.panel.services.db.startTransaction().execute();
    await holding
      .selectFrom('cccam_servers')
      .select('id')
      .where('id', '=', shop.serverId)
      .forUpdate()
      .execute();
    const release = () => holding.rollback().execute();
    onTestFinished(async () => void (holding.isCommitted || holding.isRolledBack || release()));
    return release;
  }

  /** Makes changes of the account's row wait until the returned function is called. */
  async function holdAccount({ id }: TestAccount) {
    const holding = await shop.panel.services.db.startTransaction().execute();
    await holding.selectFrom('auth_users').select('id').where('id', '=', id).forUpdate().execute();
    const release = () => holding.rollback().execute();
    onTestFinished(async () => void (holding.isCommitted || holding.isRolledBack || release()));
    return release;
  }

  const ban = ({ id }: TestAccount) =>
    shop.panel.admin.post(`/api/accounts/${id}/ban`, { suspend_lines: true });

  const file = (name: string) => ({
    action: 'import',
    rows: [1, 2].map((number) => ({
      username: `${name}-${number}`,
      password: 'in-a-file',
      subscription_months: '1',
    })),
  });

  test('is waited for by a ban, which suspends the line that it sold', async () => {
    const seller = await shop.panel.reseller();
    const release = await holdServer();
    const sale = seller.client.post('/api/lines', newLine('sold-before'));
    await waiting(1);
    const banned = ban(seller);
    await waiting(2);
    await release();
    expect((await sale).body.line.username).toBe('sold-before');
    const { job_ids } = (await banned).body;
    expect(job_ids).toHaveLength(1);
    await jobEnd(shop.panel.admin, job_ids[0]);
    expect(await suspended(shop, seller)).toMatchObject([{ suspension: { ban_of: seller.id } }]);
  });

  test.each([
    ['a ban', 401, ({ id }: TestAccount) => ({ account_id: id, set: { banned: true } })],
    [
      'a move to a lesser group',
      403,
      ({ id }: TestAccount) => ({ account_id: id, set: { group_id: '3' } }),
    ],
  ] as const)('waits for %s, and is refused after it', async (_, status, lessened) => {
    const { panel } = shop;
    await panel.services.db
      .updateTable('groups')
      .set({ permissions: [] })
      .where('id', '=', '3')
      .execute();
    const seller = await panel.reseller();
    const { account_id, set } = lessened(seller);
    const sale = await panel.services.db.transaction().execute(async (tx) => {
      await lockOutChanges(tx, null, [{ account_id }]);
      await tx.updateTable('auth_users').set(set).where('id', '=', account_id).execute();
      const reply = seller.client.post('/api/lines', newLine(`not-sold-${status}`));
      await waiting(1);
      return { reply };
    });
    expect((await sale.reply).status).toBe(status);
    expect(await suspended(shop, seller)).toEqual([]);
    expect(await balance(shop, seller)).toBe(100);
  });

  test('waits for a move to another owner, and is refused after it', async () => {
    const { panel } = shop;
    const { db } = panel.services;
    const [left, right] = [await panel.reseller(), await panel.reseller()];
    const moved = await panel.below(left, { credits: 9 });
    const release = await holdAccount(moved);
    const move = panel.admin.patch(`/api/accounts/${moved.id}`, { owner_id: right.id });
    await waiting(1);
    const takeBack = left.client.post(`/api/accounts/${moved.id}/credits/take-back`, { amount: 3 });
    await waiting(2);
    await release();
    expect((await move).body.account).toMatchObject({ owner_id: right.id, credits: 9 });
    expect((await takeBack).status).toBe(404);
    expect(await balance(shop, moved)).toBe(9);
    await expectBalancedBooks(db);
  });

  test('goes on during a move, if it is of one who stays above', async () => {
    const { panel } = shop;
    const above = await panel.reseller();
    const [left, right] = [await panel.below(above), await panel.below(above)];
    const moved = await panel.below(left);
    const release = await holdAccount(moved);
    const move = panel.admin.patch(`/api/accounts/${moved.id}`, { owner_id: right.id });
    await waiting(1);
    const sale = await above.client.post('/api/lines', newLine('sold-during-a-move'));
    expect(sale.body.line?.username).toBe('sold-during-a-move');
    await release();
    expect((await move).body.account).toMatchObject({ owner_id: right.id });
  });

  test('is made with what the account may do by then, in whatever group', async () => {
    const { panel } = shop;
    const { body } = await panel.admin.post('/api/groups', {
      name: 'Other sellers',
      permissions: ['view_users'],
    });
    const seller = await panel.reseller();
    const sale = await panel.services.db.transaction().execute(async (tx) => {
      await lockOutChanges(tx, null, [{ account_id: seller.id }]);
      await tx
        .updateTable('auth_users')
        .set({ group_id: body.group.id })
        .where('id', '=', seller.id)
        .execute();
      const reply = seller.client.post('/api/lines', newLine('sold-elsewhere'));
      await waiting(1);
      return { reply };
    });
    expect((await sale.reply).body.line.username).toBe('sold-elsewhere');
  });

  test('as an import is waited for by a ban, which suspends what it has imported', async () => {
    const seller = await shop.panel.reseller();
    const release = await holdServer();
    const { job } = (await requestBulk(seller.client, file('before-a-ban'))).body;
    await waiting(1);
    const banned = ban(seller);
    await waiting(2);
    await release();
    const { job_ids } = (await banned).body;
    for (const id of [job.id, ...job_ids]) await jobEnd(shop.panel.admin, id);
    const lines = await suspended(shop, seller);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatchObject({ suspension: { ban_of: seller.id } });
    expect(await balance(shop, seller)).toBe(96);
    await expectBalancedBooks(shop.panel.services.db);
  });
});

describe('administrators who lessen each other in a ring, at once,', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startTestShop();
  });
  afterAll(() => shop?.stop());

  test.each([
    ['by a ban', ({ id }: TestAccount) => [`/api/accounts/${id}/ban`, {}, 'post'] as const],
    [
      'by another group',
      ({ id }: TestAccount) => [`/api/accounts/${id}`, { group_id: '2' }, 'patch'] as const,
    ],
  ])('%s, are each answered: it is done, or they may not any more', async (_, act) => {
    const ring = await Promise.all(
      Array.from({ length: 6 }, () => shop.panel.reseller({ group_id: '1' })),
    );
    const replies = await Promise.all(
      ring.map(({ client }, at) => {
        const [path, body, method] = act(ring[(at + 1) % ring.length] as TestAccount);
        return client[method](path, body);
      }),
    );
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses).difference(new Set([200, 401, 403, 404]))).toEqual(new Set());
    // After the loss of the role, the former administrator can reach only the accounts below it.
    expect(statuses).toContain(200);
  });
});
