import type * as contract from '@linekeeper/contract/credits/transfers.ts';
import { type LedgerDifference, MAX_DIFFERENCES } from '@linekeeper/contract/credits/transfers.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import {
  CHUNK,
  checkChain,
  checkSeals,
  findInserted,
  inChunks,
  type Report,
  type SealedContent,
} from '../../domain/audit/check-chain.ts';
import {
  auditLog,
  ledger,
  sealedBefore,
  sealedTables,
  sealOf,
  sealRows,
} from '../../domain/audit/seal-chain.ts';
import { ISSUANCE, SALES } from '../../domain/credits/credits.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';

/** Sums of all transfers, and the inconsistencies found. */
class Findings {
  readonly differences: LedgerDifference[] = [];
  /** Sum of sealed transfers by account. */
  readonly sums = new Map<string, number>();
  accounts = 0;

  readonly report: Report = (fault, id, counts) => this.add(fault, id, counts);
  readonly reportAudit: Report = (fault, id, counts) => this.add(`audit_${fault}`, id, counts);

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

interface SealedTransfer extends SealedContent {
  from_id: string;
  to_id: string;
  amount: number;
}

interface Balance {
  id: string;
  credits: number;
  /** Sum of the account's transfers after the last seal that was checked. */
  unsealed: number;
}

/**
 * Reads balances and unsealed transfers in one statement, because a sale in between would change
 * both.
 */
async function readBalances(db: Db, after: string, lastSeal: number): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    with recent as materialized (
      select t.from_id, t.to_id, t.amount from credit_transfers t
        where t.created_at >= coalesce(${sealedBefore(ledger, lastSeal)}, '-infinity')
          and coalesce(${sealOf(ledger, sql`t.id`)} > ${lastSeal}, true)
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

/** Compares stored balances with transfers, and checks that everything adds up to zero. */
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
 * Verifies the books: every balance equals the sum of the account's transfers, all balances add up to zero, and no
 * sealed transfer or audit entry was changed. Returns at most `MAX_DIFFERENCES` differences and has no refusals.
 *
 * Seals the rows so far, and then reads in chunks, so that sales continue in the meantime. Sealed transfers never
 * change and are summed chunk by chunk; transfers after the last seal are added in the statement that reads a balance.
 */
export async function checkLedger(
  db: Db,
  secrets: Secrets,
): Promise<Reply<typeof contract.verifyLedger>> {
  for (const table of sealedTables) await sealRows(db, { ...table, secrets });
  const found = new Findings();
  const lastSeal = await checkSeals<SealedTransfer>(db, { ...ledger, secrets }, found.report, {
    columns: sql`, t.from_id, t.to_id, t.amount`,
    take: ({ from_id, to_id, amount }) => found.move(from_id, to_id, amount),
  });
  const transfers = await findInserted(db, ledger, lastSeal, found.report);
  await checkBalances(db, lastSeal, found);
  await checkChain(db, { ...auditLog, secrets }, found.reportAudit);
  const { accounts, differences } = found;
  return { ok: differences.length === 0, accounts, transfers, differences };
}
