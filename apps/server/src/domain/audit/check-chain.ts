import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Services } from '../context/context.ts';
import {
  type Chain,
  readCut,
  readSeals,
  type Seal,
  type SealedTable,
  sealedBefore,
  sealedTables,
  sealOf,
  sealText,
} from './seal-chain.ts';

/**
 * The number of rows per query. It takes a few milliseconds, during which the embedded database
 * serves no other request.
 */
export const CHUNK = 2000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Reads rows in order of id, chunk by chunk, yielding to the event loop in between. */
export async function inChunks<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (let after: string | undefined = FIRST_ID; after; await nextTurn()) {
    const rows: Row[] = await read(after);
    for (const row of rows) take(row);
    after = rows.at(-1)?.id;
  }
}

/**
 * `changed`, `removed` and `inserted` come with a row's id; `seal` with a seal's number and row
 * count.
 */
type ChainFault = 'changed' | 'removed' | 'inserted' | 'seal';
export type Report = (fault: ChainFault, id: string, counts?: [number, number]) => void;

export interface SealedContent {
  row_id: string;
  is_removed: boolean;
  sealed: Buffer;
  digest: Buffer;
}

/**
 * The columns that further checks of a chain need, and the function that checks each row while the chain is verified.
 */
export interface Reading<Content extends SealedContent> {
  columns: RawBuilder<unknown>;
  take(row: Content): void;
}

const noColumns: Reading<SealedContent> = { columns: sql``, take: () => {} };

async function readSealed<Content extends SealedContent>(
  db: Db,
  { table, sealed, row_id, digest }: SealedTable,
  number: number,
  columns: RawBuilder<unknown>,
): Promise<Content[]> {
  const { rows } = await sql<Content>`
    select s.${sql.ref(row_id)} as row_id, s.digest as sealed, t.id is null as is_removed,
        ${digest} as digest${columns}
      from ${sql.table(sealed)} s left join lateral (
        -- Not joined but looked up, whatever is known of the tables' sizes.
        select * from ${sql.table(table)} where id = s.${sql.ref(row_id)} offset 0) t on true
      where s.seal_number = ${number} order by s.${sql.ref(row_id)}`.execute(db);
  return rows;
}

/** Checks one seal and its rows against the seal before it. */
export async function checkSeal<Content extends SealedContent>(
  db: Db,
  chain: Chain,
  [seal, previous]: [Seal, string],
  report: Report,
  { columns, take }: Reading<Content> = noColumns,
): Promise<void> {
  const rows = await readSealed<Content>(db, chain, seal.number, columns);
  const digests = rows.map(({ sealed }) => sealed);
  const isSound =
    seal.count === rows.length && seal.seal === sealText(chain, seal, previous, digests);
  if (!isSound) report('seal', String(seal.number), [seal.count, rows.length]);
  for (const row of rows) {
    if (row.is_removed) {
      report('removed', row.row_id);
      continue;
    }
    if (!row.digest.equals(row.sealed)) report('changed', row.row_id);
    take(row);
  }
}

/** Reports rows that are marked as sealed after the last existing seal: their seal was removed. */
async function findWithoutSeal(
  db: Db,
  { seals, sealed }: SealedTable,
  last: number,
  report: Report,
): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select distinct seal_number as number from ${sql.table(sealed)}
      where seal_number > ${last}
        and not exists (select from ${sql.table(seals)} where number = seal_number)
      order by seal_number`.execute(db);
  for (const { number } of rows) report('seal', String(number));
}

/** Checks all seals in order; returns the number of the last one. */
export async function checkSeals<Content extends SealedContent>(
  db: Db,
  chain: Chain,
  report: Report,
  reading?: Reading<Content>,
): Promise<number> {
  const cut = await readCut(db, chain);
  if (cut && !cut.is_sound) report('seal', String(cut.number));
  let [number, previous] = [cut?.number ?? 0, cut?.seal ?? ''];
  for (;;) {
    const seals = await readSeals(db, chain, number, CHUNK);
    if (seals.length === 0) {
      await findWithoutSeal(db, chain, number, report);
      // The clean-up never removes the newest seal, so nothing can follow it.
      const isCutLast = (await readCut(db, chain))?.number === number;
      if (isCutLast) report('seal', String(number + 1));
      return number;
    }
    for (const seal of seals) {
      if (seal.number <= number) continue;
      const faults: Parameters<Report>[] = [];
      const note: Report = (...fault) => faults.push(fault);
      for (let missing = number + 1; missing < seal.number; missing++)
        note('seal', String(missing));
      await checkSeal(db, chain, [seal, previous], note, reading);
      // The clean-up removes old seals, and may run during this check.
      const later = faults.length > 0 ? await readCut(db, chain) : null;
      if (later?.is_sound && later.number >= seal.number) {
        [number, previous] = [later.number, later.seal];
        continue;
      }
      for (const fault of faults) report(...fault);
      [number, previous] = [seal.number, seal.seal];
      await nextTurn();
    }
  }
}

/**
 * Finds rows that are older than the last seals but in none of them. Returns the number of rows
 * read.
 */
export async function findInserted(
  db: Db,
  table: SealedTable,
  lastSeal: number,
  report: Report,
): Promise<number> {
  let count = 0;
  await inChunks<{ id: string; is_inserted: boolean }>(
    async (after) => {
      const { rows } = await sql<{ id: string; is_inserted: boolean }>`
        select t.id, coalesce(
            t.created_at < ${sealedBefore(table, lastSeal)}
              and ${sealOf(table, sql`t.id`)} is null, false) as is_inserted
          from ${sql.table(table.table)} t where t.id > ${after}
          order by t.id limit ${CHUNK}`.execute(db);
      return rows;
    },
    ({ id, is_inserted }) => {
      count++;
      if (is_inserted) report('inserted', id);
    },
  );
  return count;
}

/** Checks the whole chain of a table that only needs checks against tampering. */
export async function checkChain(db: Db, chain: Chain, report: Report): Promise<void> {
  const lastSeal = await checkSeals(db, chain, report);
  await findInserted(db, chain, lastSeal, report);
}

type CheckServices = Pick<Services, 'db' | 'secrets' | 'log'>;

/**
 * Checks the seals of transfers and audit entries, stores the number of faults and the time in `seal_checks`, and logs
 * an error if there are any. Reads all sealed rows, which takes minutes in a large database.
 */
export async function checkAllSeals({ db, secrets, log }: CheckServices): Promise<void> {
  for (const table of sealedTables) {
    let faults = 0;
    await checkChain(db, { ...table, secrets }, () => {
      faults += 1;
    });
    if (faults > 0) log.error({ faults }, `seals of the ${table.rows} do not hold`);
    const found = { faults, checked_at: sql<Date>`now()` };
    await db
      .insertInto('seal_checks')
      .values({ table_name: table.table, ...found })
      .onConflict((conflict) => conflict.column('table_name').doUpdateSet(found))
      .execute();
  }
}
