import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** All rows as JSON text, by table. */
export type Dump = Record<string, string[]>;

export async function dump(db: Db): Promise<Dump> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const entries = await Promise.all(
    tables.map(async ({ name }): Promise<[string, string[]]> => {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`.execute(db);
      return [name, rows.map(({ row }) => row)];
    }),
  );
  return Object.fromEntries(entries);
}

/** Tables that scheduled jobs write by themselves, at any time. */
export const writtenByJobs = [
  'schedules',
  'credit_seals',
  'credit_sealed',
  'audit_seals',
  'audit_sealed',
  'seal_checks',
  'mails',
  'web_pushes',
  'webhook_deliveries',
];

/**
 * Columns of `cccam_servers` that the panel changes without a request, when it asks an agent
 * whether it has loaded the changes.
 */
export const changedByJobs = ['reload', 'reload_look_at'];

function withoutJobs(row: string): string {
  const columns = Object.entries(JSON.parse(row) as Record<string, unknown>);
  return JSON.stringify(
    Object.fromEntries(columns.filter(([name]) => !changedByJobs.includes(name))),
  );
}

/**
 * All rows that only requests change, to show that a request has changed nothing. The entries about
 * wrong passwords are left out, because these are written on purpose.
 */
export async function dumpWithoutJobs(db: Db): Promise<Dump> {
  const tables = Object.entries(await dump(db))
    .filter(([name]) => !writtenByJobs.includes(name))
    .map(([name, rows]) => [
      name,
      rows.filter((row) => !row.includes('"account.wrong_password"')).map(withoutJobs),
    ]);
  return Object.fromEntries(tables);
}

/** The whole database as one text, for searches. */
export async function dumpText(db: Db): Promise<string> {
  return Object.entries(await dump(db))
    .flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`))
    .join('\n');
}
