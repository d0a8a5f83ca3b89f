import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';
import { lockName } from '../../platform/rows.ts';

/** The chain of seals was not made with this key. */
export class BrokenSeal extends Error {}

/** Rows per seal; on the embedded database, the query for this many rows blocks others for about 10 ms. */
const BATCH = 500;

type ChainSecrets = Pick<Secrets, 'sealLedger' | 'sealAudit'>;

/**
 * A table whose rows never change after commit, with the chain of seals that proves it. Decision 0006: seals name their rows,
 * because neither ids nor moments are in the order of commits.
 */
export interface SealedTable {
  /** Name of the rows in messages. */
  rows: string;
  table: 'credit_transfers' | 'audit_log';
  /** Table with one row per batch: number, number of rows sealed, time, and the seal. */
  seals: 'credit_seals' | 'audit_seals';
  count: 'transfers' | 'entries';
  /** Table that maps each row to its seal, with the row's digest. */
  sealed: 'credit_sealed' | 'audit_sealed';
  row_id: 'transfer_id' | 'entry_id';
  /** SQL of the hash over all content of a row `t`. If it changed, every sealed row would count as altered. */
  digest: RawBuilder<Buffer>;
  sign(secrets: ChainSecrets, content: Uint8Array): string;
}

/** A sealed table with the key that signs its seals. */
export type Chain = SealedTable & { secrets: ChainSecrets };

/** Formats a timestamp to the microsecond, independent of session settings and PostgreSQL versions. */
function momentText(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

export const ledger: SealedTable = {
  rows: 'credit transfers',
  table: 'credit_transfers',
  seals: 'credit_seals',
  count: 'transfers',
  sealed: 'credit_sealed',
  row_id: 'transfer_id',
  digest: sql<Buffer>`sha256(convert_to(json_build_array(
    t.id, t.kind, t.from_id, t.to_id, t.amount, t.actor_id, t.note, t.line_id, t.username,
    t.refund_of, ${momentText(sql`t.created_at`)})::text, 'UTF8'))`,
  sign: (secrets, content) => secrets.sealLedger(content),
};

export const auditLog: SealedTable = {
  rows: 'audit entries',
  table: 'audit_log',
  seals: 'audit_seals',
  count: 'entries',
  sealed: 'audit_sealed',
  row_id: 'entry_id',
  digest: sql<Buffer>`sha256(convert_to(json_build_array(
    t.id, t.actor_id, t.action, t.subject_type, t.subject_id, t.data, t.before, t.after, t.address,
    t.request_id, ${momentText(sql`t.created_at`)})::text, 'UTF8'))`,
  sign: (secrets, content) => secrets.sealAudit(content),
};

export const sealedTables: readonly SealedTable[] = [ledger, auditLog];

/**
 * The longest time a transaction may take until its commit. Unsealed rows younger than this are
 * new; older ones among sealed rows were not written by the panel.
 */
const LATEST_COMMIT = sql`interval '1 hour'`;

/**
 * SQL of the time before which all rows are in this seal or an earlier one; null if there is no
 * such seal. A seal in the future was made with a wrong clock and proves nothing about rows written
 * since the clock was corrected, so the last seal before it is used.
 */
export function sealedBefore({ seals }: SealedTable, number: number): RawBuilder<Date | null> {
  return sql`(
    select sealed_until - ${LATEST_COMMIT} from ${sql.table(seals)}
      where number <= ${number} and sealed_until <= now() order by number desc limit 1)`;
}

/**
 * SQL of the number of the seal that contains a row; null if no seal does. It is a subquery for
 * each row, because a join may be planned as a scan of all sealed rows.
 */
export function sealOf(
  { sealed, row_id }: SealedTable,
  id: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql`(select seal_number from ${sql.table(sealed)} where ${sql.ref(row_id)} = ${id})`;
}

export interface Seal {
  number: number;
  /** Number of rows in the seal. */
  count: number;
  sealed_until: string;
  seal: string;
}

export function sealText(
  chain: Chain,
  { number, count, sealed_until }: Omit<Seal, 'seal'>,
  previous: string,
  digests: readonly Uint8Array[],
): string {
  const head = JSON.stringify([number, count, sealed_until, previous]);
  return chain.sign(chain.secrets, Buffer.concat([Buffer.from(head), ...digests]));
}

export async function readSeals(
  db: Db,
  { seals, count }: SealedTable,
  after: number | RawBuilder<unknown>,
  limit: number,
): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select number, ${sql.ref(count)} as count, seal, ${momentText(sql`sealed_until`)} as sealed_until
      from ${sql.table(seals)} where number > ${after} order by number limit ${limit}`.execute(db);
  return rows;
}

/** Locks the chain, because otherwise two panels would give the same number to two seals. */
export async function lockChain(tx: Tx, { seals }: SealedTable): Promise<void> {
  await lockName(tx, seals);
}

/** The last seal that a clean-up removed with its rows; the chain continues from it. */
export interface Cut {
  number: number;
  seal: string;
  sealed_until: string;
  /** Number of entries removed by all clean-ups so far. */
  entries: number;
}

/** The signed text of a cut. It cannot be confused with a seal's, which begins with a number. */
function cutText(chain: Chain, cut: Cut): string {
  const { number, seal, sealed_until, entries } = cut;
  return chain.sign(
    chain.secrets,
    Buffer.from(JSON.stringify(['cut', number, seal, sealed_until, entries])),
  );
}

/**
 * Reads where the last clean-up of old rows ended; null if no rows were ever removed. `is_sound` is false if the record
 * was changed, or signed with another secret key.
 */
export async function readCut(db: Db, chain: Chain): Promise<(Cut & { is_sound: boolean }) | null> {
  const { rows } = await sql<Cut & { proof: string }>`
    select number, seal, ${momentText(sql`sealed_until`)} as sealed_until, entries, proof
      from seal_cuts where table_name = ${chain.table}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { proof, ...cut } = row;
  return { ...cut, is_sound: proof === cutText(chain, cut) };
}

export async function writeCut(tx: Tx, chain: Chain, cut: Cut): Promise<void> {
  const values = { ...cut, proof: cutText(chain, cut) };
  await tx
    .insertInto('seal_cuts')
    .values({ table_name: chain.table, ...values })
    .onConflict((conflict) => conflict.column('table_name').doUpdateSet(values))
    .execute();
}

/**
 * The cut of a chain, which is where a clean-up ended, with its signature verified; null if no clean-up has removed
 * entries. Throws BrokenSeal if the cut was changed, or signed with another secret key.
 */
export async function soundCut(tx: Tx, chain: Chain): Promise<Cut | null> {
  const cut = await readCut(tx, chain);
  if (cut === null) return null;
  const { is_sound, ...sound } = cut;
  if (!is_sound) throw new BrokenSeal(`The cut of the ${chain.rows} at ${cut.number} is broken`);
  return sound;
}

/** The start of the next batch; null for the earliest time at which an uncommitted row may have been created. */
type Position = { created_at: string; id: string } | null;

interface Batch {
  seal: Seal;
  last: Position;
}

/** Seals the oldest unsealed rows; null if there are none. */
async function sealBatch(tx: Tx, chain: Chain, after: Position): Promise<Batch | null> {
  await lockChain(tx, chain);
  const newest = sql`(select max(number) - 1 from ${sql.table(chain.seals)})`;
  const [previous] = await readSeals(tx, chain, newest, 1);
  const from = after
    ? sql`(t.created_at, t.id) > (${after.created_at}::timestamptz, ${after.id}::uuid)`
    : sql`t.created_at >= coalesce(${sealedBefore(chain, previous?.number ?? 0)}, '-infinity')`;
  const { rows } = await sql<{ id: string; created_at: string; digest: Buffer }>`
    select t.id, ${momentText(sql`t.created_at`)} as created_at, ${chain.digest} as digest
      from ${sql.table(chain.table)} t
      where ${from} and ${sealOf(chain, sql`t.id`)} is null
      order by t.created_at, t.id limit ${BATCH}`.execute(tx);
  const last = rows.at(-1);
  if (!last) return null;
  const about = {
    number: (previous?.number ?? 0) + 1,
    count: rows.length,
    // The time is not that of the latest of all seals: rows that wait for a seal would count as inserted once a clock
    // that had been ahead reaches that time again.
    sealed_until: last.created_at,
  };
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const digests = inOrder.map(({ digest }) => digest);
  const seal = sealText(chain, about, previous?.seal ?? '', digests);
  const { seals, count, sealed, row_id } = chain;
  await sql`insert into ${sql.table(seals)} (number, ${sql.ref(count)}, sealed_until, seal)
    values (${about.number}, ${about.count}, ${about.sealed_until}, ${seal})`.execute(tx);
  await sql`insert into ${sql.table(sealed)} (${sql.ref(row_id)}, seal_number, digest)
    select id, ${about.number}, decode(digest, 'hex')
      from unnest(${inOrder.map(({ id }) => id)}::uuid[],
        ${digests.map((digest) => digest.toString('hex'))}::text[]) as given (id, digest)`.execute(
    tx,
  );
  return { seal: { ...about, seal }, last };
}

/**
 * Seals all unsealed rows in batches. Several panels may run this at the same time. Returns the
 * last seal for the log, because someone who cuts off the end of the chain cannot change the log.
 */
export async function sealRows(
  db: Db,
  chain: Chain,
  isStopping = () => false,
): Promise<Seal | null> {
  let made = null as Batch | null;
  while (!isStopping()) {
    const after = made?.last ?? null;
    const batch: Batch | null = await transact(db, (tx) => sealBatch(tx, chain, after));
    made = batch ?? made;
    if (!batch || batch.seal.count < BATCH) break;
    await nextTurn();
  }
  return made?.seal ?? null;
}

/** Yields all seals from the first, checked with its key. Throws BrokenSeal. */
async function* soundSeals(
  tx: Tx,
  chain: Chain,
): AsyncGenerator<{ seal: Seal; digests: Buffer[] }> {
  const cut = await soundCut(tx, chain);
  let [previous, number] = [cut?.seal ?? '', cut?.number ?? 0];
  for (;;) {
    const seals = await readSeals(tx, chain, number, BATCH);
    if (seals.length === 0) return;
    for (const seal of seals) {
      const { rows } = await sql<{ digest: Buffer }>`
        select digest from ${sql.table(chain.sealed)} where seal_number = ${seal.number}
          order by ${sql.ref(chain.row_id)}`.execute(tx);
      const digests = rows.map(({ digest }) => digest);
      const isSound =
        seal.number === number + 1 &&
        seal.count === digests.length &&
        seal.seal === sealText(chain, seal, previous, digests);
      if (!isSound) throw new BrokenSeal(`Seal ${number + 1} of the ${chain.rows} is broken`);
      yield { seal, digests };
      [previous, number] = [seal.seal, seal.number];
    }
    await nextTurn();
  }
}

/**
 * Rebuilds the whole chain with another key. Checks each seal with the old key first, so that altered rows are never
 * sealed again; throws BrokenSeal if a seal is wrong. Returns the number of seals.
 */
export async function resealRows(tx: Tx, chain: Chain, newSecrets: ChainSecrets): Promise<number> {
  const next = { ...chain, secrets: newSecrets };
  await lockChain(tx, chain);
  const cut = await soundCut(tx, chain);
  let [newPrevious, count] = [cut?.seal ?? '', 0];
  for await (const { seal, digests } of soundSeals(tx, chain)) {
    newPrevious = sealText(next, seal, newPrevious, digests);
    await sql`update ${sql.table(chain.seals)} set seal = ${newPrevious}
      where number = ${seal.number}`.execute(tx);
    count += 1;
  }
  if (cut) await writeCut(tx, next, cut);
  return count;
}

/**
 * Verifies the signatures of a whole chain and returns its number of seals. Throws BrokenSeal if one was not made with
 * the chain's key.
 */
export async function countSoundSeals(tx: Tx, chain: Chain): Promise<number> {
  let count = 0;
  for await (const _ of soundSeals(tx, chain)) count += 1;
  return count;
}
