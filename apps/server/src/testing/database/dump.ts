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
];

/** The column of `notifications` that a job changes while it puts them into mails. */
export const MAIL_STATE = 'mail_state';
const mailState = new RegExp(`"${MAIL_STATE}": ("\\w+"|null)`);

/**
 * All rows that only requests change, to show that a request has changed nothing. That a password was
 * wrong is written on purpose.
 */
export async function dumpWithoutJobs(db: Db): Promise<Dump> {
  const tables = Object.entries(await dump(db))
    .filter(([name]) => !writtenByJobs.includes(name))
    .map(([name, rows]) => [
      name,
      rows
        .filter((row) => !row.includes('"account.wrong_password"'))
        .map((row) => row.replace(mailState, '')),
    ]);
  return Object.fromEntries(tables);
}

/** The whole database as one text, to search in. */
export async function dumpText(db: Db): Promise<string> {
  return Object.entries(await dump(db))
    .flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`))
    .join('\n');
}
