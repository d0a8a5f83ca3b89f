import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../db/schema.ts';
import type { Db } from '../db/transaction.ts';

/** A statement as it went to the database. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export interface Recorder {
  db: Db;
  /** The statements that `work` sent, in their order. */
  record(work: () => Promise<unknown>): Promise<Statement[]>;
  close(): Promise<void>;
}

/** A database handle that remembers what is asked over it. */
export function openRecorder(connectionString: string): Recorder {
  let statements: Statement[] = [];
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters });
    },
  });
  return {
    db,
    record: async (work) => {
      statements = [];
      await work();
      return statements;
    },
    close: () => db.destroy(),
  };
}
