import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { BrokenSeal, type ChainSecrets, momentText, type SealedTable } from './seal-chain.ts';

/** The last seal that was taken away with its rows; the chain goes on from it. */
export interface Cut {
  number: number;
  seal: string;
  sealed_until: string;
  /** All rows ever taken away. */
  entries: number;
}

/** Cannot be taken for a seal, whose text begins with a number. */
function cutText(table: SealedTable, secrets: ChainSecrets, cut: Cut): string {
  const { number, seal, sealed_until, entries } = cut;
  return table.sign(
    secrets,
    Buffer.from(JSON.stringify(['cut', number, seal, sealed_until, entries])),
  );
}

/** null if the chain is whole. `is_sound` is false for a cut that was not made with `secrets`. */
export async function readCut(
  db: Db,
  table: SealedTable,
  secrets: ChainSecrets,
): Promise<(Cut & { is_sound: boolean }) | null> {
  const { rows } = await sql<Cut & { proof: string }>`
    select number, seal, ${momentText(sql`sealed_until`)} as sealed_until, entries, proof
      from seal_cuts where table_name = ${table.table}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { proof, ...cut } = row;
  return { ...cut, is_sound: proof === cutText(table, secrets, cut) };
}

export async function writeCut(
  tx: Tx,
  table: SealedTable,
  secrets: ChainSecrets,
  cut: Cut,
): Promise<void> {
  const values = { ...cut, proof: cutText(table, secrets, cut) };
  await tx
    .insertInto('seal_cuts')
    .values({ table_name: table.table, ...values })
    .onConflict((conflict) => conflict.column('table_name').doUpdateSet(values))
    .execute();
}

/** Throws BrokenSeal if the cut was not made with `secrets`. */
export async function soundCut(
  tx: Tx,
  table: SealedTable,
  secrets: ChainSecrets,
): Promise<Cut | null> {
  const cut = await readCut(tx, table, secrets);
  if (cut === null) return null;
  const { is_sound, ...sound } = cut;
  if (!is_sound) throw new BrokenSeal(`The cut of the ${table.rows} at ${cut.number} is broken`);
  return sound;
}
