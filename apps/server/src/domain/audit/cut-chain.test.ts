// @module-tag thorough
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Tx, transact } from '../../db/transaction.ts';
import { createSecrets } from '../../platform/keys/secrets.ts';
import { withoutTriggers } from '../../testing/database/tamper.ts';
import { runScheduled } from '../../testing/loops.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { panelOrigin, writeAudit } from './audit.ts';
import { cutRows } from './cut-chain.ts';
import { auditLog, resealRows, sealRows } from './seal-chain.ts';

const KEEP_DAYS = 100;

describe.each(databases)('the audit log, shortened on %s', (kind) => {
  let panel: TestPanel;
  let oldest: number;
  beforeAll(async () => {
    panel = await startTestPanel(kind, { AUDIT_KEEP_DAYS: String(KEEP_DAYS) });
    // Adds seals of past days, and one of today.
    await withoutTriggers(db(), (tx) =>
      sql`update audit_log set created_at = now() - interval '450 days'`.execute(tx),
    );
    await seal();
    oldest = await countOf('audit_log');
    for (const days of [400, 300, 200]) await writeOld(days, days === 300 ? 700 : 20);
    await panel.reseller();
    await seal();
  });

  const db = () => panel.services.db;
  const secrets = () => panel.services.secrets;
  const verify = async () => (await panel.admin.get('/api/credits/verify')).body;
  const seal = () => sealRows(db(), { ...auditLog, secrets: secrets() });
  const cut = (days = KEEP_DAYS) => cutRows(db(), { ...auditLog, secrets: secrets() }, days);
  const night = (day: string, hour = 3) => runScheduled(panel.services, 'clean up', { day, hour });

  /** Writes entries with a time some days ago, and seals them with that time. */
  async function writeOld(days: number, count: number): Promise<void> {
    const entry = { action: 'settings.edit', subject_type: 'panel', subject_id: 'old' } as const;
    const before = await sql<{ id: string }>`select id from audit_log`.execute(db());
    await writeAudit(db(), panelOrigin, Array<typeof entry>(count).fill(entry));
    await withoutTriggers(db(), (tx) =>
      sql`update audit_log set created_at = now() - make_interval(days => ${days})
        where not (id = any(${before.rows.map(({ id }) => id)}::uuid[]))`.execute(tx),
    );
    await seal();
  }

  const countOf = async (table: string, where = sql`true`) =>
    (
      await sql<{
        count: number;
      }>`select count(*) as count from ${sql.table(table)} where ${where}`.execute(db())
    ).rows[0]?.count ?? -1;
  const oldOnes = () => countOf('audit_log', sql`subject_id = 'old'`);

  /** Runs `work` on a tampered log, in a transaction that is rolled back. */
  async function found(tamper: (tx: Tx) => Promise<unknown>): Promise<string[]> {
    const tables = ['audit_log', 'audit_sealed', 'audit_seals', 'seal_cuts'];
    for (const table of tables) {
      await sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`.execute(
        db(),
      );
    }
    await withoutTriggers(db(), tamper);
    try {
      const { differences } = await verify();
      return differences.map(({ kind }: { kind: string }) => kind);
    } finally {
      await withoutTriggers(db(), async (tx) => {
        for (const table of tables) {
          await sql`delete from ${sql.table(table)}`.execute(tx);
          await sql`insert into ${sql.table(table)} select * from ${sql.table(`kept_${table}`)}`.execute(
            tx,
          );
          await sql`drop table ${sql.table(`kept_${table}`)}`.execute(tx);
        }
      });
      expect(await verify()).toMatchObject({ ok: true });
    }
  }

  test('loses nothing where all of it is to be kept', async () => {
    expect(await verify()).toMatchObject({ ok: true });
    expect(await cut(500)).toBeNull();
    expect(await oldOnes()).toBe(740);
    expect(await countOf('seal_cuts')).toBe(0);
  });

  test('cannot be shortened by hand, not even with a cut that is not its', async () => {
    await expect(sql`delete from audit_log where subject_id = 'old'`.execute(db())).rejects.toThrow(
      'audit_log is append-only',
    );
    await expect(
      transact(db(), async (tx) => {
        await sql`insert into seal_cuts values ('audit_log', 1, 'x', now(), 1, 'x')`.execute(tx);
        await sql`delete from audit_log where subject_id = 'old'`.execute(tx);
      }),
    ).rejects.toThrow('audit_log is append-only');
  });

  test('is not shortened where it was tampered with, so that the traces stay', async () => {
    const [whole] = (
      await sql<{ id: string }>`select id from audit_log where subject_id = 'old' limit 1`.execute(
        db(),
      )
    ).rows;
    const change = (address: string | null) =>
      withoutTriggers(db(), (tx) =>
        sql`update audit_log set address = ${address} where id = ${whole?.id}`.execute(tx),
      );
    await change('10.0.0.1');
    await expect(cut()).rejects.toThrow('Seal 2 of the audit entries is broken');
    // The clean-up logs the problem, and does the rest of its work.
    await night('2026-01-01');
    expect(await oldOnes()).toBe(740);
    expect((await verify()).differences).toMatchObject([{ kind: 'audit_changed', id: whole?.id }]);
    await change(null);
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('goes by its age, leaves no seal of it behind, and is proven as before', async () => {
    const kept = (await countOf('audit_log')) - 740 - oldest;
    await night('2026-01-02', 2);
    expect(await oldOnes()).toBe(740);
    await night('2026-01-02');
    expect(await oldOnes()).toBe(0);
    const rows = (await panel.admin.get('/api/audit?action=panel.audit_shortened')).body.items;
    expect(rows).toMatchObject([{ actor_id: null, data: { removed_entries: 740 + oldest } }]);
    expect(await countOf('audit_log')).toBe(kept + 1);
    expect(await verify()).toMatchObject({ ok: true });
    expect(await countOf('audit_sealed')).toBe(kept + 1);
    const { rows: numbers } = await sql<{ number: number }>`
      select number from audit_seals order by number`.execute(db());
    expect(numbers[0]?.number).toBeGreaterThan(3);
    // The entry is written once a night, and not at all if nothing was deleted.
    await night('2026-01-02');
    await night('2026-01-03');
    expect(await countOf('audit_log')).toBe(kept + 1);
  });

  test('is missed where nothing of it is left behind the cut', async () => {
    const kinds = await found(async (tx) => {
      for (const table of ['audit_sealed', 'audit_seals', 'audit_log']) {
        await sql`delete from ${sql.table(table)}`.execute(tx);
      }
    });
    expect(kinds).toEqual(['audit_seal']);
  });

  test('goes on being sealed and shortened', async () => {
    const sealed = async () => (await sql`select from audit_seals`.execute(db())).rows.length;
    for (let made = 0; made < 3; made++) {
      await panel.reseller();
      await seal();
    }
    const before = await sealed();
    expect(before).toBeGreaterThan(3);
    expect(await cut(0)).not.toBeNull();
    expect(await sealed()).toBe(1);
    for (let made = 0; made < 3; made++) {
      await panel.reseller();
      await seal();
      expect(await verify()).toMatchObject({ ok: true });
    }
    expect(await sealed()).toBeGreaterThanOrEqual(4);
  });

  test('an entry that is removed by hand is found', async () => {
    const first = sql`(select min(number) from audit_seals)`;
    expect(
      await found((tx) =>
        sql`delete from audit_log where id = (
          select entry_id from audit_sealed where seal_number = ${first} limit 1)`.execute(tx),
      ),
    ).toEqual(['audit_removed']);
    const removeSeal = async (tx: Tx) => {
      await sql`delete from audit_log where id in (
        select entry_id from audit_sealed where seal_number = ${first})`.execute(tx);
      await sql`delete from audit_sealed where seal_number = ${first}`.execute(tx);
      await sql`delete from audit_seals where number = ${first}`.execute(tx);
    };
    expect(await found(removeSeal)).toEqual(expect.arrayContaining(['audit_seal']));
  });

  test('the last seal that is removed by hand is found, though what it sealed is there', async () => {
    const removeLast = (tx: Tx) =>
      sql`delete from audit_seals where number = (select max(number) from audit_seals)`.execute(tx);
    expect(await found(removeLast)).toEqual(['audit_seal']);
  });

  test('a cut that was moved, altered or taken away is found', async () => {
    // Removes the following seal as a clean-up would, but without the proof.
    const moveOn = async (tx: Tx) => {
      await sql`update seal_cuts set number = next.number, seal = next.seal
        from (select number, seal from audit_seals order by number limit 1) as next`.execute(tx);
      const gone = sql`(select number from seal_cuts)`;
      await sql`delete from audit_log where id in (
        select entry_id from audit_sealed where seal_number <= ${gone})`.execute(tx);
      await sql`delete from audit_sealed where seal_number <= ${gone}`.execute(tx);
      await sql`delete from audit_seals where number <= ${gone}`.execute(tx);
    };
    expect(await found(moveOn)).toEqual(['audit_seal']);
    const alter = (tx: Tx) => sql`update seal_cuts set entries = entries + 1`.execute(tx);
    expect(await found(alter)).toEqual(['audit_seal']);
    expect(await found((tx) => sql`delete from seal_cuts`.execute(tx))).toContain('audit_seal');
  });

  test('an entry that is put in among those that went is found', async () => {
    const insert = (tx: Tx) =>
      sql`insert into audit_log (id, action, subject_type, subject_id, data, created_at)
        values (gen_random_uuid(), 'settings.edit', 'panel', 'x', '{}', now() - interval '350 days')`.execute(
        tx,
      );
    // An insertion fires no trigger of the panel, but the copy is restored all the same.
    expect(await found(insert)).toEqual(['audit_inserted']);
  });

  test('is sealed with another key, and proven by it', async () => {
    const other = createSecrets('another secret key of the tests, long enough');
    await transact(db(), (tx) => resealRows(tx, { ...auditLog, secrets: secrets() }, other));
    expect((await verify()).ok).toBe(false);
    expect(await cutRows(db(), { ...auditLog, secrets: other }, KEEP_DAYS)).toBeNull();
    await transact(db(), (tx) => resealRows(tx, { ...auditLog, secrets: other }, secrets()));
    expect(await verify()).toMatchObject({ ok: true });
  });
});
