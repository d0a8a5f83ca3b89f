import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../db/transaction.ts';
import { insertJob } from '../../../domain/lines/jobs.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { deleteOldJobs, deleteOldRenewals } from './jobs-store.ts';

describe.each(databases)('finished jobs on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller();
  });
  afterAll(() => panel?.stop());

  /** Stores a job that ended some days ago; null for a job that has not ended. */
  async function addJob(
    action: 'edit' | 'import' | 'renew',
    days: number | null,
    rows = 2,
    undo_of?: string,
  ): Promise<string> {
    const { db } = panel.services;
    const items = Array.from({ length: rows }, (_, position) => ({
      position,
      line_id: null,
      username: `line-${position}`,
      state: 'done' as const,
    }));
    const asking = { actor: { id: seller.id }, address: '127.0.0.1', request_id: 'r' };
    const job = { action, ...(undo_of ? { undo_of } : {}) };
    const id = await transact(db, (tx) => insertJob(tx, asking, job, items));
    await sql`update jobs set state = ${days === null ? 'running' : 'done'},
      created_at = now() - make_interval(days => ${days ?? 500}),
      finished_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(db);
    return id;
  }

  const left = async () => {
    const { rows } = await sql<{ id: string; items: number }>`
      select id, (select count(*) from job_items where job_id = jobs.id) as items from jobs`.execute(
      panel.services.db,
    );
    return new Map(rows.map(({ id, items }) => [id, items]));
  };

  test('go with all their rows when they are old, and no others', async () => {
    const { db } = panel.services;
    const old = await addJob('import', 91, 3000);
    await addJob('edit', 200);
    await addJob('edit', 91, 2, old);
    const kept = [
      await addJob('import', 89, 5),
      await addJob('edit', 0),
      await addJob('edit', null),
    ];
    await deleteOldJobs(db, 90);
    const jobs = await left();
    expect([...jobs.keys()].sort()).toEqual(kept.toSorted());
    const { rows } = await sql`select from job_items`.execute(db);
    expect(rows).toHaveLength(9);
  });

  test('go one after the other, and not when the panel stops', async () => {
    const { db } = panel.services;
    for (const days of [100, 101, 102]) await addJob('import', days, 1500);
    const before = (await left()).size;
    let asked = 0;
    await deleteOldJobs(db, 90, () => asked++ > 0);
    expect((await left()).size).toBe(before - 1);
    await deleteOldJobs(db, 90, () => true);
    expect((await left()).size).toBe(before - 1);
    await deleteOldJobs(db, 90);
    expect((await left()).size).toBe(before - 3);
  });

  test('of one renewal go after a day, when nobody can ask for them again', async () => {
    const { db } = panel.services;
    const [recent, many] = [await addJob('renew', 0, 1), await addJob('renew', 2, 2)];
    const old = await addJob('renew', 2, 1);
    await deleteOldRenewals(db);
    const jobs = await left();
    expect([jobs.has(recent), jobs.has(many), jobs.has(old)]).toEqual([true, true, false]);
  });
});
