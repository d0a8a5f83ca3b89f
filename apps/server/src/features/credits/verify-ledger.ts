import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/transfers.ts';
import { type LedgerDifference, MAX_DIFFERENCES } from '@linekeeper/contract/transfers.ts';
import { sql } from 'kysely';
import { ISSUANCE, SALES } from '../../core/credits.ts';
import {
  readSeals,
  type Seal,
  sealedBefore,
  sealOf,
  sealText,
  sealTransfers,
  transferDigest,
} from '../../core/ledger-seals.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Db } from '../../db/transaction.ts';

/** Rows a query: a few milliseconds of the embedded database, which serves nobody else meanwhile. */
const CHUNK = 2000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Goes on where it stopped, in order of id, and lets the event loop turn in between. */
async function inChunks<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (let after: string | undefined = FIRST_ID; after; await nextTurn()) {
    const rows: Row[] = await read(after);
    for (const row of rows) take(row);
    after = rows.at(-1)?.id;
  }
}

/** What the transfers of a ledger make, and what is wrong with it. */
class Findings {
  readonly differences: LedgerDifference[] = [];
  /** What the sealed transfers add up to, by account. */
  readonly sums = new Map<string, number>();
  accounts = 0;
  transfers = 0;

  add(
    kind: LedgerDifference['kind'],
    id: string | null,
    [expected, found]: [number | null, number | null] = [null, null],
  ): void {
    if (this.differences.length < MAX_DIFFERENCES) {
      this.differences.push({ kind, id, expected, found });
    }
  }

  move(from_id: string, to_id: string, amount: number): void {
    this.sums.set(from_id, (this.sums.get(from_id) ?? 0) - amount);
    this.sums.set(to_id, (this.sums.get(to_id) ?? 0) + amount);
  }
}

interface SealedRow {
  transfer_id: string;
  sealed: Buffer;
  digest: Buffer;
  from_id: string | null;
  to_id: string | null;
  amount: number | null;
}

async function readSealed(db: Db, number: number): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select s.transfer_id, s.digest as sealed, t.from_id, t.to_id, t.amount,
        ${transferDigest} as digest
      from credit_sealed s left join lateral (
        -- Not joined but looked up, whatever is known of the tables' sizes.
        select * from credit_transfers where id = s.transfer_id offset 0) t on true
      where s.seal_number = ${number} order by s.transfer_id`.execute(db);
  return rows;
}

async function checkSeal(db: Db, secrets: Secrets, seal: Seal, previous: string, found: Findings) {
  const rows = await readSealed(db, seal.number);
  const digests = rows.map(({ sealed }) => sealed);
  const isSound =
    seal.transfers === rows.length && seal.seal === sealText(secrets, seal, previous, digests);
  if (!isSound) found.add('seal', String(seal.number), [seal.transfers, rows.length]);
  for (const { transfer_id, sealed, digest, from_id, to_id, amount } of rows) {
    if (!from_id || !to_id || amount === null) {
      found.add('removed', transfer_id);
      continue;
    }
    if (!digest.equals(sealed)) found.add('changed', transfer_id);
    found.move(from_id, to_id, amount);
  }
}

/** Every seal there is by now, one after the other; returns the number of the last. */
async function checkSeals(db: Db, secrets: Secrets, found: Findings): Promise<number> {
  let [number, previous] = [0, ''];
  for (;;) {
    const seals = await readSeals(db, number, CHUNK);
    if (seals.length === 0) return number;
    for (const seal of seals) {
      for (let missing = number + 1; missing < seal.number; missing++) {
        found.add('seal', String(missing));
      }
      await checkSeal(db, secrets, seal, previous, found);
      [number, previous] = [seal.number, seal.seal];
      await nextTurn();
    }
  }
}

/** Transfers that belong to a time long sealed but are in no seal. */
async function findInserted(db: Db, lastSeal: number, found: Findings): Promise<void> {
  await inChunks<{ id: string; is_inserted: boolean }>(
    async (after) => {
      const { rows } = await sql<{ id: string; is_inserted: boolean }>`
        select t.id, coalesce(
            t.created_at < ${sealedBefore(lastSeal)} and ${sealOf(sql`t.id`)} is null, false)
            as is_inserted
          from credit_transfers t where t.id > ${after} order by t.id limit ${CHUNK}`.execute(db);
      return rows;
    },
    ({ id, is_inserted }) => {
      found.transfers++;
      if (is_inserted) found.add('inserted', id);
    },
  );
}

interface Balance {
  id: string;
  credits: number;
  /** What its transfers since the last seal that was checked add up to. */
  unsealed: number;
}

/** A balance and what moved it since the seals, in one statement: a sale in between changes both. */
async function readBalances(db: Db, after: string, lastSeal: number): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    with recent as materialized (
      select t.from_id, t.to_id, t.amount from credit_transfers t
        where t.created_at >= coalesce(${sealedBefore(lastSeal)}, '-infinity')
          and coalesce(${sealOf(sql`t.id`)} > ${lastSeal}, true)
    ), moved as (
      select account_id, sum(amount)::bigint as amount from (
        select to_id as account_id, amount from recent
        union all select from_id, -amount from recent) as sides
      group by account_id
    )
    select id, credits, coalesce(moved.amount, 0) as unsealed
      from auth_users left join moved on account_id = id
      where id > ${after} order by id limit ${CHUNK}`.execute(db);
  return rows;
}

/** Stored balances against transfers, and all of it against zero. */
async function checkBalances(db: Db, lastSeal: number, found: Findings): Promise<void> {
  const { sums } = found;
  let total = (sums.get(ISSUANCE) ?? 0) + (sums.get(SALES) ?? 0);
  const unseen = new Set(sums.keys());
  unseen.delete(ISSUANCE);
  unseen.delete(SALES);
  await inChunks(
    (after) => readBalances(db, after, lastSeal),
    ({ id, credits, unsealed }) => {
      found.accounts++;
      unseen.delete(id);
      const expected = (sums.get(id) ?? 0) + unsealed;
      if (credits !== expected) found.add('balance', id, [expected, credits]);
      if (credits < 0) found.add('negative', id, [null, credits]);
      total += credits - unsealed;
    },
  );
  for (const id of unseen) found.add('unknown_account', id, [null, sums.get(id) ?? 0]);
  if (total !== 0) found.add('sum', null, [0, total]);
}

/**
 * Goes through the whole ledger in small steps, so that sales go on meanwhile. What is in a seal never
 * changes again, so it can be added up at leisure; what came since is added where a balance is read.
 */
export async function checkLedger(
  db: Db,
  secrets: Secrets,
): Promise<Reply<typeof contract.verifyLedger>> {
  await sealTransfers(db, secrets);
  const found = new Findings();
  const lastSeal = await checkSeals(db, secrets, found);
  await findInserted(db, lastSeal, found);
  await checkBalances(db, lastSeal, found);
  const { accounts, transfers, differences } = found;
  return { ok: differences.length === 0, accounts, transfers, differences };
}
