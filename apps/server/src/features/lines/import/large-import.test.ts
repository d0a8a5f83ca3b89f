import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { transact } from '../../../db/transaction.ts';
import { jobEnd, previewBulk, requestBulk, runBulk, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { storeLines } from '../../../testing/lines.ts';
import { holdChecks } from '../../../testing/loops.ts';
import { databases, startTestShop, type TestPanel } from '../../../testing/panel.ts';

/** More rows than one transaction writes. */
const ROWS = 1100;

/** Rows of suspended lines, so that the job does not wait for a card server. */
const rowsOf = (prefix: string) =>
  Array.from({ length: ROWS }, (_, index) => ({
    ...{ username: `${prefix}-${index}`, password: 'pw', subscription_months: '1' },
    is_suspended: 'yes',
  }));

describe.each(databases)('an import of more than a thousand rows on %s', (kind) => {
  let panel: TestPanel;
  let serverId: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    ({ panel, serverId } = shop);
    await holdChecks(panel.services.db);
    return shop.stop;
  });

  test('is one job with one undo', async () => {
    await panel.admin.patch('/api/settings', { undo_daily_limit: ROWS });
    const seller = await panel.reseller({ credits: ROWS * 2 });
    const job = await runBulk(seller.client, { action: 'import', rows: rowsOf('whole') });
    expect(job).toMatchObject({
      done: ROWS,
      failed: 0,
      cost: ROWS * 2,
      credits: 0,
      can_undo: true,
    });
    const rest = (await seller.client.get(`/api/jobs/${job.id}?after=${ROWS - 2}`)).body;
    expect(rest.items.map(({ position }: { position: number }) => position)).toEqual([
      ROWS - 1,
      ROWS,
    ]);
    const undo = await undoBulk(seller.client, job.id);
    expect(undo.failed).toBe(0);
    expect((await seller.client.get('/api/lines/counts')).body.all).toBe(0);
    await expectBalancedBooks(panel.services.db);
  });

  if (kind === 'postgres') {
    test('stops before the thousand of a row that became invalid', async () => {
      const seller = await panel.reseller({ credits: ROWS * 2 });
      const other = await panel.reseller();
      const id = await transact(panel.services.db, async (tx) => {
        // The job waits for the rows of the servers, and another sale gets the name in the meantime.
        await tx.selectFrom('cccam_servers').select('id').forUpdate().execute();
        const { body } = await requestBulk(seller.client, {
          action: 'import',
          rows: rowsOf('stops'),
        });
        await storeLines(tx, other.id, serverId, [{ username: 'stops-1050' }]);
        return body.job.id as string;
      });
      const job = await jobEnd(seller.client, id);
      expect(job).toMatchObject({ state: 'done', done: 1000, failed: ROWS - 1000, credits: 200 });
      const codes = job.items.map(({ error }) => error?.code ?? null);
      expect(codes.slice(0, 1000)).toEqual(Array(1000).fill(null));
      expect(codes[1050]).toBe('USERNAME_EXISTS');
      expect(new Set(codes.slice(1000))).toEqual(
        new Set(['IMPORT_HAS_INVALID_ROWS', 'USERNAME_EXISTS']),
      );
      const { body: csv } = await seller.client.get(`/api/jobs/${id}/csv?list=refused`);
      expect(csv.trim().split('\r\n')).toHaveLength(1 + ROWS - 1000);
      expect(csv).toContain('stops-1050');
      await expectBalancedBooks(panel.services.db);
    });
  }

  test('adopts for administrators what card servers have, at no charge, also where they are full', async () => {
    const long = 'Testkunde_Wohnzimmer';
    const rows = [`${long}1`, `${long}2`].map((username) => ({
      ...{ username, password: 'pw', expiry_date: '01-01-2027', server_id: serverId },
      is_suspended: 'no',
    }));
    await panel.admin.patch(`/api/servers/${serverId}`, { closed_to_new_lines: true });
    onTestFinished(async () => {
      await panel.admin.patch(`/api/servers/${serverId}`, { closed_to_new_lines: false });
    });
    const file = { action: 'import', rows, adopt: true };
    const refused = await previewBulk(panel.admin, { ...file, adopt: false });
    expect(refused.items.map(({ error }) => error?.code)).toEqual([
      'SERVER_CLOSED',
      'SERVER_CLOSED',
    ]);
    const job = await runBulk(panel.admin, file);
    expect(job).toMatchObject({ done: 2, cost: 0, arguments: { adopt: true } });
    const line = (await panel.admin.get(`/api/lines/${job.items[0]?.line_id}`)).body;
    expect(line).toMatchObject({ name_problem: 'NAME_SHARES_FIRST_20' });
    const seller = await panel.reseller({ credits: 10 });
    const { status, body } = await requestBulk(seller.client, { ...file, preview: true });
    expect([status, body.code]).toEqual([422, 'ADMIN_ONLY_FIELD']);
  });
});
