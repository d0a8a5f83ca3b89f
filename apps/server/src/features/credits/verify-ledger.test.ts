// @module-tag thorough
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Tx, transact } from '../../db/transaction.ts';
import { findInserted } from '../../domain/audit/check-chain.ts';
import { BrokenSeal, ledger, resealRows, sealRows } from '../../domain/audit/seal-chain.ts';
import { ISSUANCE, moveCredits, SALES } from '../../domain/credits/credits.ts';
import { newId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/keys/secrets.ts';
import { whileTampered } from '../../testing/database/tamper.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

describe.each(databases)('the ledger on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    seller = await panel.reseller({ credits: 50 });
  });
  afterAll(() => panel?.stop());

  const db = () => panel.services.db;
  const verify = async () => (await panel.admin.get('/api/credits/verify')).body;
  const seal = () => sealRows(db(), { ...ledger, secrets: panel.services.secrets });
  const sound = { ok: true, differences: [] };

  function sell(tx: Tx) {
    const about = { kind: 'sale', from_id: seller.id, to_id: SALES, actor_id: seller.id } as const;
    return moveCredits(tx, { ...about, amount: 1 });
  }

  /** Inserts a transfer directly into the database. */
  function insertTransfer(tx: Tx, created_at: string, to_id = seller.id) {
    return sql`insert into credit_transfers (id, kind, from_id, to_id, amount, created_at)
      values (${newId()}, 'mint', ${ISSUANCE}, ${to_id}, 7, ${created_at})`.execute(tx);
  }

  const sealedIds = async () =>
    (await db().selectFrom('credit_sealed').select('transfer_id').execute()).map(
      (row) => row.transfer_id,
    );

  test('is sound, and what is new is sealed by being verified', async () => {
    const counted = { accounts: 2, transfers: 1 };
    expect(await verify()).toEqual({ ...sound, ...counted });
    expect(await sealedIds()).toHaveLength(1);
    await transact(db(), sell);
    expect(await verify()).toEqual({ ...sound, ...counted, transfers: 2 });
    expect(await sealedIds()).toHaveLength(2);
    expect(await seal()).toBeNull();
  });

  test('is sealed in batches, each transfer once, however many panels do so', async () => {
    await transact(db(), async (tx) => {
      await sql`insert into credit_transfers (id, kind, from_id, to_id, amount, created_at)
        select gen_random_uuid(), 'mint', ${ISSUANCE}, ${seller.id}, 1, clock_timestamp()
          from generate_series(1, 1300)`.execute(tx);
      await sql`update auth_users set credits = credits + 1300 where id = ${seller.id}`.execute(tx);
    });
    const before = await db().selectFrom('credit_seals').select('number').execute();
    await Promise.all(Array.from({ length: 5 }, seal));
    const seals = await db()
      .selectFrom('credit_seals')
      .select(['number', 'transfers'])
      .orderBy('number')
      .execute();
    expect(seals.map(({ number }) => number)).toEqual(seals.map((_, index) => index + 1));
    const made = seals.slice(before.length);
    expect(made.length).toBeGreaterThan(2);
    expect(made.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(1300);
    expect(await verify()).toMatchObject({ ...sound, transfers: 1302 });
  });

  test('stays sound while it is verified and sold from at the same time', async () => {
    const work = Array.from({ length: 12 }, (_, index) =>
      index % 4 === 0 ? verify() : transact(db(), sell).then(() => sound),
    );
    for (const outcome of await Promise.all(work)) expect(outcome).toMatchObject(sound);
    expect(await verify()).toMatchObject(sound);
  });

  describe('that was tampered with', () => {
    let sale: string;
    beforeAll(async () => {
      sale = (await transact(db(), sell)).id;
      await seal();
    });

    const now = () => new Date().toISOString();
    const change = (set: ReturnType<typeof sql>) => (tx: Tx) =>
      sql`update credit_transfers set ${set} where id = ${sale}`.execute(tx);
    const lastSeal = sql`(select max(number) from credit_seals)`;

    const cases: [what: string, tamper: (tx: Tx) => Promise<unknown>, found: () => object[]][] = [
      ['a note', change(sql`note = 'paid in cash'`), () => [{ kind: 'changed', id: sale }]],
      [
        'a moment',
        change(sql`created_at = created_at + interval '1 microsecond'`),
        () => [{ kind: 'changed', id: sale }],
      ],
      [
        'an amount and the balance with it',
        async (tx) => {
          await change(sql`amount = amount - 1 + 2`)(tx);
          await sql`update auth_users set credits = credits - 1
            where id = ${seller.id}`.execute(tx);
        },
        () => [{ kind: 'changed', id: sale }],
      ],
      [
        'a transfer that is gone',
        (tx) => sql`delete from credit_transfers where id = ${sale}`.execute(tx),
        () => [
          { kind: 'removed', id: sale },
          { kind: 'balance', id: seller.id },
          { kind: 'sum', found: -1 },
        ],
      ],
      [
        'a transfer from long before the last seal',
        (tx) => insertTransfer(tx, '2026-01-01T00:00:00Z'),
        () => [{ kind: 'inserted', id: expect.any(String) }],
      ],
      [
        'a transfer that moved no balance',
        (tx) => insertTransfer(tx, now()),
        () => [
          { kind: 'balance', id: seller.id },
          { kind: 'sum', found: -7 },
        ],
      ],
      [
        'a transfer to nobody',
        (tx) => insertTransfer(tx, now(), '01a1fd85-0000-7000-8000-000000000000'),
        () => [
          { kind: 'unknown_account', id: '01a1fd85-0000-7000-8000-000000000000', found: 7 },
          { kind: 'sum', id: null, expected: 0, found: -7 },
        ],
      ],
      [
        'a balance',
        (tx) =>
          sql`update auth_users set credits = credits + 9 where id = ${seller.id}`.execute(tx),
        () => [
          { kind: 'balance', id: seller.id, found: expect.any(Number) },
          { kind: 'sum', id: null, expected: 0, found: 9 },
        ],
      ],
      [
        'a seal',
        (tx) => sql`update credit_seals set seal = 'x' where number = ${lastSeal}`.execute(tx),
        () => [{ kind: 'seal', id: expect.any(String) }],
      ],
      [
        'the last seal that is gone, though what it sealed is there, changed',
        async (tx) => {
          await sql`delete from credit_seals where number = ${lastSeal}`.execute(tx);
          await change(sql`note = 'hidden'`)(tx);
        },
        () => [{ kind: 'seal', id: expect.stringMatching(/^\d+$/) }],
      ],
      [
        'a seal that is gone, with its transfer',
        async (tx) => {
          await sql`delete from credit_sealed where seal_number = 2`.execute(tx);
          await sql`delete from credit_seals where number = 2`.execute(tx);
        },
        // The following seal depends on this one.
        () => [
          { kind: 'seal', id: '2' },
          { kind: 'seal', id: '3' },
        ],
      ],
      [
        'a digest, to hide a change',
        async (tx) => {
          await change(sql`note = 'hidden'`)(tx);
          await sql`update credit_sealed set digest = sha256('x') where transfer_id = ${sale}`.execute(
            tx,
          );
        },
        () => [{ kind: 'seal' }, { kind: 'changed', id: sale }],
      ],
    ];

    test.each(cases)('shows %s', async (_what, tamper, found) => {
      const { ok, differences } = await whileTampered(db(), tamper, verify);
      expect(ok).toBe(false);
      expect(differences).toMatchObject(found());
      expect(differences).toHaveLength(found().length);
      expect(await verify()).toMatchObject(sound);
    });
  });

  test('is sealed anew with another key, unless a seal is broken', async () => {
    await seal();
    const { secrets } = panel.services;
    const other = createSecrets('another key of thirty-two letters');
    const reseal = (from: typeof secrets, to: typeof secrets) =>
      transact(db(), (tx) => resealRows(tx, { ...ledger, secrets: from }, to));
    await expect(reseal(other, secrets)).rejects.toThrow(BrokenSeal);
    expect(await verify()).toMatchObject(sound);

    await reseal(secrets, other);
    const { differences } = await verify();
    expect(differences.length).toBeGreaterThan(2);
    expect(new Set(differences.map((difference: { kind: string }) => difference.kind))).toEqual(
      new Set(['seal']),
    );
    await reseal(other, secrets);
    expect(await verify()).toMatchObject(sound);
  });
});

test('a transfer that commits after later ones were sealed is in the next seal', async () => {
  const panel = await startTestPanel();
  const { db } = panel.services;
  const seals = async () => {
    const { body } = await panel.admin.get('/api/credits/verify');
    expect(body).toMatchObject({ ok: true, differences: [] });
    const rows = await db
      .selectFrom('credit_sealed')
      .select(['transfer_id', 'seal_number'])
      .execute();
    return new Map(rows.map((row) => [row.transfer_id, row.seal_number]));
  };
  const sell = async (tx: Tx, { id }: TestAccount) => {
    const about = { kind: 'sale', from_id: id, to_id: SALES, amount: 1, actor_id: id } as const;
    return (await moveCredits(tx, about)).id;
  };
  const [slow, quick] = [await panel.reseller(), await panel.reseller()];
  const isMade = Promise.withResolvers<string>();
  const mayCommit = Promise.withResolvers<void>();
  const committing = transact(db, async (tx) => {
    isMade.resolve(await sell(tx, slow));
    await mayCommit.promise;
  });
  const early = await isMade.promise;
  const late = await transact(db, (tx) => sell(tx, quick));
  const before = await seals();
  expect([before.has(late), before.has(early)]).toEqual([true, false]);
  mayCommit.resolve();
  await committing;
  const after = await seals();
  expect(after.get(early)).toBeGreaterThan(after.get(late)!);
  await panel.stop();
});

test('transfers of a clock that was put right are sealed late, and are none of a stranger', async () => {
  const panel = await startTestPanel();
  try {
    const { id } = await panel.reseller({ credits: 50 });
    const { db, secrets } = panel.services;
    const mintAt = (moment: ReturnType<typeof sql>) =>
      transact(db, async (tx) => {
        await sql`insert into credit_transfers (id, kind, from_id, to_id, amount, created_at)
          values (${newId()}, 'mint', ${ISSUANCE}, ${id}, 7, ${moment})`.execute(tx);
        await sql`update auth_users set credits = credits + 7 where id = ${id}`.execute(tx);
      });
    await mintAt(sql`now() + interval '1 day'`);
    await sealRows(db, { ...ledger, secrets });
    // A panel whose process was suspended for hours wrote this after the clock was corrected.
    await mintAt(sql`now() - interval '2 hours'`);
    expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({
      ok: true,
      differences: [],
    });
    const { rows } = await sql`select from credit_transfers
      where id not in (select transfer_id from credit_sealed)`.execute(db);
    expect(rows).toEqual([]);
    // The last transfer before the panel stands still waits for its seal until the clock has passed the day ahead.
    await mintAt(sql`now() + interval '1 second'`);
    const inserted: string[] = [];
    const undone = new Error('undone');
    const later = db.transaction().execute(async (tx) => {
      await sql`create schema later`.execute(tx);
      await sql`create function later.now() returns timestamptz language sql
        as 'select pg_catalog.now() + interval ''2 days'''`.execute(tx);
      await sql`set local search_path = later, pg_catalog, public`.execute(tx);
      const { rows: seals } = await sql<{
        number: number;
      }>`select max(number)::integer as number from credit_seals`.execute(tx);
      await findInserted(tx, ledger, seals[0]?.number ?? 0, (_, row) => inserted.push(row));
      throw undone;
    });
    await expect(later).rejects.toBe(undone);
    expect(inserted).toEqual([]);
  } finally {
    await panel.stop();
  }
});
