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
  // Over one connection, what is asked side by side is noted in the order in which it was asked.
  const pool = new pg.Pool({ connectionString, max: 1 });
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
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

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/**
 * How many rows PostgreSQL takes up to answer: those that every scan of a table or an index gave or
 * threw away, each time it ran.
 */
export async function rowsTouched(pool: pg.Pool, { sql, parameters }: Statement): Promise<number> {
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
  return Math.round(touchedBelow(rows[0]['QUERY PLAN'][0].Plan));
}

function touchedBelow(node: PlanNode): number {
  const looked =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Node Type'].includes('Scan') ? looked * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, below) => sum + touchedBelow(below), 0);
}
