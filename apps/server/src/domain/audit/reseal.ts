import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import {
  BATCH,
  BrokenSeal,
  type Chain,
  type ChainSecrets,
  readSeals,
  type Seal,
  sealAlone,
  sealText,
  soundCut,
  writeCut,
} from './seal-chain.ts';

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
 * Rebuilds the whole chain with another key. Checks each seal with the old key first, so that
 * tampered rows are never sealed again; throws BrokenSeal then. Returns the number of seals.
 */
export async function resealRows(tx: Tx, chain: Chain, newSecrets: ChainSecrets): Promise<number> {
  const next = { ...chain, secrets: newSecrets };
  await sealAlone(tx, chain);
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

/** Throws BrokenSeal unless the whole chain was made with its key. Returns the number of seals. */
export async function countSoundSeals(tx: Tx, chain: Chain): Promise<number> {
  let count = 0;
  for await (const _ of soundSeals(tx, chain)) count += 1;
  return count;
}
