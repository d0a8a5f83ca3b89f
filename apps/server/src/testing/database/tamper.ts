import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/transaction.ts';

const kept = ['credit_transfers', 'credit_seals', 'credit_sealed'];

/** Writes with triggers and foreign keys disabled, as someone with access to the database could. */
export function withoutTriggers<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    return work(tx);
  });
}

/** Runs `work` on a tampered ledger, then restores it. */
export async function whileTampered<T>(
  db: Db,
  tamper: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  for (const table of kept) {
    await sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`.execute(db);
  }
  await sql`create table kept_balances as select id, credits from auth_users`.execute(db);
  await withoutTriggers(db, tamper);
  try {
    return await work();
  } finally {
    await withoutTriggers(db, async (tx) => {
      for (const table of kept) {
        const [real, copy] = [sql.table(table), sql.table(`kept_${table}`)];
        await sql`delete from ${real}`.execute(tx);
        await sql`insert into ${real} select * from ${copy}`.execute(tx);
        await sql`drop table ${copy}`.execute(tx);
      }
      await sql`update auth_users set credits = kept.credits from kept_balances kept
        where kept.id = auth_users.id`.execute(tx);
      await sql`drop table kept_balances`.execute(tx);
    });
  }
}
