import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Db, type Tx, transact } from '../db/transaction.ts';
import type { Secrets } from './secrets.ts';

type LedgerSecrets = Pick<Secrets, 'sealLedger'>;

/** Rows of a seal: on the embedded database one query of them holds up everybody for some 10 ms. */
const BATCH = 500;
const LOCK = 'credit_seals';

/** A moment to the microsecond, the same text in every session and version. */
export function momentText(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * All that a transfer `t` says. Never change what is digested: it would make every sealed transfer a
 * changed one.
 */
export const transferDigest = sql<Buffer>`sha256(convert_to(json_build_array(
  t.id, t.kind, t.from_id, t.to_id, t.amount, t.actor_id, t.note, t.line_id, t.username, t.refund_of,
  ${momentText(sql`t.created_at`)})::text, 'UTF8'))`;

/**
 * How long a transaction may have gone on when it commits. Younger transfers in no seal are new; one
 * that is older than this, while later ones are sealed, did not come in by the panel.
 */
const LATEST_COMMIT = sql`interval '1 hour'`;

/**
 * The moment before which every transfer is in the seal of that number or an earlier one; null where
 * there is no such seal. Not ahead of the clock, which may have been put back since.
 */
export function sealedBefore(number: number): RawBuilder<Date | null> {
  return sql`(
    select least(sealed_until, now()) - ${LATEST_COMMIT} from credit_seals where number = ${number})`;
}

/**
 * The number of the seal a transfer is in, or null. Looked up row by row: a join may be planned to read
 * all that was ever sealed for each few transfers.
 */
export function sealOf(transferId: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select seal_number from credit_sealed where transfer_id = ${transferId})`;
}

export interface Seal {
  number: number;
  transfers: number;
  sealed_until: string;
  seal: string;
}

export function sealText(
  secrets: LedgerSecrets,
  { number, transfers, sealed_until }: Omit<Seal, 'seal'>,
  previous: string,
  digests: readonly Uint8Array[],
): string {
  const head = JSON.stringify([number, transfers, sealed_until, previous]);
  return secrets.sealLedger(Buffer.concat([Buffer.from(head), ...digests]));
}

export async function readSeals(db: Db, after: number, limit: number): Promise<Seal[]> {
  return db
    .selectFrom('credit_seals')
    .select(['number', 'transfers', 'seal'])
    .select(momentText(sql`sealed_until`).as('sealed_until'))
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** The digests of a seal's transfers, in the order in which they were sealed. */
async function readDigests(db: Db, number: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('credit_sealed')
    .select('digest')
    .where('seal_number', '=', number)
    .orderBy('transfer_id')
    .execute();
  return rows.map(({ digest }) => digest);
}

async function lastSeal(tx: Tx): Promise<Seal | undefined> {
  return tx
    .selectFrom('credit_seals')
    .select(['number', 'transfers', 'seal'])
    .select(momentText(sql`sealed_until`).as('sealed_until'))
    .orderBy('number', 'desc')
    .executeTakeFirst();
}

/** Where the next batch begins; null for as far back as a transaction may reach. */
type Position = { created_at: string; id: string } | null;

interface Batch {
  seal: Seal;
  last: Position;
}

/** Seals the oldest transfers in no seal; null where there are none. */
async function sealBatch(tx: Tx, secrets: LedgerSecrets, after: Position): Promise<Batch | null> {
  // Two panels would give two seals one number.
  await sql`select pg_advisory_xact_lock(hashtext(${LOCK}))`.execute(tx);
  const previous = await lastSeal(tx);
  const from = after
    ? sql`(t.created_at, t.id) > (${after.created_at}::timestamptz, ${after.id}::uuid)`
    : sql`t.created_at >= coalesce(${sealedBefore(previous?.number ?? 0)}, '-infinity')`;
  const { rows } = await sql<{ id: string; created_at: string; digest: Buffer }>`
    select t.id, ${momentText(sql`t.created_at`)} as created_at, ${transferDigest} as digest
      from credit_transfers t
      where ${from} and ${sealOf(sql`t.id`)} is null
      order by t.created_at, t.id limit ${BATCH}`.execute(tx);
  const last = rows.at(-1);
  if (!last) return null;
  const about = {
    number: (previous?.number ?? 0) + 1,
    transfers: rows.length,
    sealed_until: [previous?.sealed_until ?? '', last.created_at].sort().at(-1) ?? '',
  };
  const sealed = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const digests = sealed.map(({ digest }) => digest);
  const seal = { ...about, seal: sealText(secrets, about, previous?.seal ?? '', digests) };
  await tx.insertInto('credit_seals').values(seal).execute();
  await tx
    .insertInto('credit_sealed')
    .values(sealed.map(({ id, digest }) => ({ transfer_id: id, seal_number: seal.number, digest })))
    .execute();
  return { seal, last };
}

/**
 * Seals what is in no seal yet, batch by batch. Any number of panels may do so at the same time. Returns
 * the last seal made, for the log: whoever cuts off the chain's end cannot change what was logged.
 */
export async function sealTransfers(
  db: Db,
  secrets: LedgerSecrets,
  isStopping = () => false,
): Promise<Seal | null> {
  let made: Batch | null = null;
  for (;;) {
    const after: Position = made ? made.last : null;
    const batch: Batch | null = isStopping()
      ? null
      : await transact(db, (tx) => sealBatch(tx, secrets, after));
    if (batch) made = batch;
    if (!batch || batch.seal.transfers < BATCH) return made ? made.seal : null;
    await nextTurn();
  }
}

/** Thrown where a chain of seals was not made with the key it is checked with. */
export class BrokenSeal extends Error {}

/** The chain from its beginning, each seal checked with `secrets`. Throws BrokenSeal. */
async function* soundSeals(
  tx: Tx,
  secrets: LedgerSecrets,
): AsyncGenerator<{ seal: Seal; digests: Buffer[] }> {
  let [previous, number] = ['', 0];
  for (;;) {
    const seals = await readSeals(tx, number, BATCH);
    if (seals.length === 0) return;
    for (const seal of seals) {
      const digests = await readDigests(tx, seal.number);
      const isSound =
        seal.number === number + 1 &&
        seal.transfers === digests.length &&
        seal.seal === sealText(secrets, seal, previous, digests);
      if (!isSound) throw new BrokenSeal(`Seal ${number + 1} of the credit transfers is broken`);
      yield { seal, digests };
      [previous, number] = [seal.seal, seal.number];
    }
    await nextTurn();
  }
}

/**
 * Makes the whole chain anew with another key. Every seal is first checked with the old one, so that
 * nothing that was tampered with is vouched for; throws BrokenSeal there. Returns how many there are.
 */
export async function resealLedger(
  tx: Tx,
  oldSecrets: LedgerSecrets,
  newSecrets: LedgerSecrets,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${LOCK}))`.execute(tx);
  let [newPrevious, count] = ['', 0];
  for await (const { seal, digests } of soundSeals(tx, oldSecrets)) {
    newPrevious = sealText(newSecrets, seal, newPrevious, digests);
    await tx
      .updateTable('credit_seals')
      .set({ seal: newPrevious })
      .where('number', '=', seal.number)
      .execute();
    count += 1;
  }
  return count;
}

/** Throws BrokenSeal unless the whole chain was made with `secrets`. Returns how many seals it has. */
export async function checkSeals(tx: Tx, secrets: LedgerSecrets): Promise<number> {
  let count = 0;
  for await (const _ of soundSeals(tx, secrets)) count += 1;
  return count;
}
