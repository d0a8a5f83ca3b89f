import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import {
  BATCH,
  BrokenSeal,
  type ChainSecrets,
  readSeals,
  type Seal,
  type SealedTable,
  sealAlone,
  sealText,
  soundCut,
  writeCut,
} from './seal-chain.ts';

/** Yields all seals from the first, checked with `secrets`. Throws BrokenSeal. */
async function* soundSeals(
  tx: Tx,
  table: SealedTable,
  secrets: ChainSecrets,
): AsyncGenerator<{ seal: Seal; digests: Buffer[] }> {
  const cut = await soundCut(tx, table, secrets);
  let [previous, number] = [cut?.seal ?? '', cut?.number ?? 0];
  for (;;) {
    const seals = await readSeals(tx, table, number, BATCH);
    if (seals.length === 0) return;
    for (const seal of seals) {
      const { rows } = await sql<{ digest: Buffer }>`
        select digest from ${sql.table(table.sealed)} where seal_number = ${seal.number}
          order by ${sql.ref(table.row_id)}`.execute(tx);
      const digests = rows.map(({ digest }) => digest);
      const isSound =
        seal.number === number + 1 &&
        seal.count === digests.length &&
        seal.seal === sealText(table, secrets, seal, previous, digests);
      if (!isSound) throw new BrokenSeal(`Seal ${number + 1} of the ${table.rows} is broken`);
      yield { seal, digests };
      [previous, number] = [seal.seal, seal.number];
    }
    await nextTurn();
  }
}

/**
 * Rebuilds the whole chain with another key. Checks each seal with the old key first, so that
 * tampered rows are never sealed again; throws BrokenSeal then. Returns the number of seals.
 */
export async function resealRows(
  tx: Tx,
  table: SealedTable,
  oldSecrets: ChainSecrets,
  newSecrets: ChainSecrets,
): Promise<number> {
  await sealAlone(tx, table);
  const cut = await soundCut(tx, table, oldSecrets);
  let [newPrevious, count] = [cut?.seal ?? '', 0];
  for await (const { seal, digests } of soundSeals(tx, table, oldSecrets)) {
    newPrevious = sealText(table, newSecrets, seal, newPrevious, digests);
    await sql`update ${sql.table(table.seals)} set seal = ${newPrevious}
      where number = ${seal.number}`.execute(tx);
    count += 1;
  }
  if (cut) await writeCut(tx, table, newSecrets, cut);
  return count;
}

/** Throws BrokenSeal unless the whole chain was made with `secrets`. Returns the number of seals. */
export async function countSoundSeals(
  tx: Tx,
  table: SealedTable,
  secrets: ChainSecrets,
): Promise<number> {
  let count = 0;
  for await (const _ of soundSeals(tx, table, secrets)) count += 1;
  return count;
}
