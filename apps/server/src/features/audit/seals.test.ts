// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { withoutTriggers } from '../../testing/database/tamper.ts';
import { eventually } from '../../testing/eventually.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';

describe.each(databases)('the seals on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    await panel.reseller();
  });

  const state = async () => (await panel.admin.get('/api/audit/seals')).body;
  const check = async () => (await panel.admin.post('/api/audit/seals/check')).body;
  const makeDue = () =>
    sql`update schedules set next_at = now() where name = 'check seals'`.execute(panel.services.db);

  test('are not known to hold before they were checked', async () => {
    expect(await state()).toEqual({ ok: false, faults: 0, checked_at: null });
  });

  test('are checked by the clock, and the page is told when', async () => {
    const before = Date.now();
    await panel.admin.get('/api/credits/verify');
    await eventually(async () => expect((await makeDue()).numAffectedRows).toBe(1n));
    await eventually(async () => expect((await state()).ok).toBe(true));
    const { faults, checked_at } = await state();
    expect(faults).toBe(0);
    expect(Date.parse(checked_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(checked_at)).toBeLessThanOrEqual(Date.now());
  });

  test('are checked when asked for, and not by opening the page', async () => {
    const before = await state();
    expect(await state()).toEqual(before);
    const found = await check();
    expect(Date.parse(found.checked_at)).toBeGreaterThan(Date.parse(before.checked_at));
    expect(await state()).toEqual(found);
  });

  test('do not hold where an entry or a transfer was altered', async () => {
    const { db } = panel.services;
    await panel.admin.get('/api/credits/verify');
    await withoutTriggers(db, async (tx) => {
      await sql`update audit_log set address = '10.0.0.1'
        where id = (select entry_id from audit_sealed limit 1)`.execute(tx);
      await sql`update credit_transfers set note = 'altered'
        where id = (select transfer_id from credit_sealed limit 1)`.execute(tx);
    });
    // Nobody has verified the chain since.
    expect(await state()).toMatchObject({ ok: true });
    expect(await check()).toMatchObject({ ok: false, faults: 2 });
    expect(await state()).toMatchObject({ ok: false, faults: 2 });
  });
});
