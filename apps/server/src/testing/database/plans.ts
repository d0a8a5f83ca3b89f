import pg from 'pg';
import { connectPostgres } from '../../db/connect.ts';
import type { Db } from '../../db/transaction.ts';
import { atEnd } from '../at-end.ts';
import { makeMigratedDatabase } from '../process/process.ts';
import { openRecorder, type Recorder, rowsTouched } from './statements.ts';

/** A filled database on PostgreSQL, to measure the plans of statements. */
export interface Plans {
  url: string;
  recorder: Recorder;
  pool: pg.Pool;
  /** Numbers of rows that the statements of `work` read, in order. */
  touched(work: () => Promise<unknown>): Promise<number[]>;
  /** Removes the database. */
  close(): Promise<void>;
}

export async function openPlans(fill: (db: Db) => Promise<unknown>): Promise<Plans> {
  const database = await makeMigratedDatabase('postgres');
  const url = database.env.DATABASE_URL ?? '';
  const connection = await connectPostgres(url);
  await fill(connection.db);
  await connection.close();
  const recorder = openRecorder(url);
  const pool = new pg.Pool({ connectionString: url });
  // Connections may still be closing when the database is dropped.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    url,
    recorder,
    pool,
    touched: async (work) => {
      const statements = await recorder.record(work);
      return Promise.all(statements.map((statement) => rowsTouched(pool, statement)));
    },
    close: atEnd(async () => {
      await pool.end();
      await recorder.close();
      await database.remove();
    }),
  };
}
