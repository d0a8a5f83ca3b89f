import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { mayBePrepared } from '../../db/prepared.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';

/** A statement as sent to the database. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export interface Recorder {
  db: Db;
  /** Returns the statements that `work` sent, in order. */
  record(work: () => Promise<unknown>): Promise<Statement[]>;
  close(): Promise<void>;
}

/** A database handle that records statements. */
export function openRecorder(connectionString: string): Recorder {
  let statements: Statement[] = [];
  // A single connection, so that concurrent statements are recorded in the order of execution.
  const pool = new pg.Pool({ connectionString, max: 1 });
  // Connections may still be closing when the database is dropped.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
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
 * Number of rows that PostgreSQL reads for a statement: those that table and index scans returned
 * or filtered out, over all loops. A prepared statement may get a generic plan, so the higher count
 * of both plans is returned.
 */
export async function rowsTouched(pool: pg.Pool, statement: Statement): Promise<number> {
  const { sql, parameters } = statement;
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
  const own = Math.round(touchedBelow(rows[0]['QUERY PLAN'][0].Plan));
  return mayBePrepared(sql) ? Math.max(own, await touchedByGenericPlan(pool, statement)) : own;
}

/** The value as PostgreSQL writes it: an array of ids or names, or a time. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join()}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

async function touchedByGenericPlan(
  pool: pg.Pool,
  { sql, parameters }: Statement,
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare looked_at as ${sql}`);
    const values = parameters.map((value) =>
      value === null ? 'null' : client.escapeLiteral(asText(value)),
    );
    const execute = `execute looked_at${values.length > 0 ? `(${values.join()})` : ''}`;
    const { rows } = await client.query(`explain (analyze, format json) ${execute}`);
    return Math.round(touchedBelow(rows[0]['QUERY PLAN'][0].Plan));
  } finally {
    // Discards the connection with its settings and prepared statements.
    client.release(true);
  }
}

function touchedBelow(node: PlanNode): number {
  const looked =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Node Type'].includes('Scan') ? looked * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, below) => sum + touchedBelow(below), 0);
}
