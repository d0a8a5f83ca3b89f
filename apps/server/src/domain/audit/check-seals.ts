import { sql } from 'kysely';
import type { Services } from '../context/context.ts';
import { checkChain } from './check-chain.ts';
import { sealedTables } from './sealed-tables.ts';

type CheckServices = Pick<Services, 'db' | 'secrets' | 'log'>;

/** Checks the seals of every sealed table, and keeps what was found. Reads all sealed rows. */
export async function checkAllSeals({ db, secrets, log }: CheckServices): Promise<void> {
  for (const table of sealedTables) {
    let faults = 0;
    await checkChain(db, table, secrets, () => {
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
