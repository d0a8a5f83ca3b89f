import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../transaction.ts';
import type { TableDigest } from './file-format.ts';
import { quote, type Table } from './tables.ts';

export class TableDigester {
  #rows = 0;
  readonly #hash = createHash('sha256');

  /** `text` contains whole rows, each with its line feed. */
  add(rows: number, text: string | Buffer): void {
    this.#rows += rows;
    this.#hash.update(text);
  }

  finish(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

/** Makes the database write every value as the same text on any server, until the transaction ends. */
export async function fixTextForms(tx: Tx): Promise<void> {
  await sql
    .raw(
      `set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
        set local bytea_output = 'hex'; set local extra_float_digits = 1`,
    )
    .execute(tx);
}

/**
 * Yields a table's rows in key order in batches. Each row is a JSON array of its columns in the
 * database's text form, which is lossless and readable by every version.
 */
export async function* readRows(
  tx: Tx,
  { name, columns, order, rows_a_fetch }: Table,
): AsyncGenerator<string[]> {
  const values = columns.map((column) => `${quote(column.name)}::text`).join(', ');
  await sql
    .raw(
      `declare backup_rows no scroll cursor for
        select array_to_json(array[${values}])::text as row from ${quote(name)} order by ${order}`,
    )
    .execute(tx);
  for (;;) {
    const { rows } = await sql
      .raw<{ row: string }>(`fetch ${rows_a_fetch} from backup_rows`)
      .execute(tx);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < rows_a_fetch) break;
  }
  await sql`close backup_rows`.execute(tx);
}

export const asLines = (rows: string[]) => `${rows.join('\n')}\n`;

export async function digestTable(tx: Tx, table: Table): Promise<TableDigest> {
  const proof = new TableDigester();
  for await (const rows of readRows(tx, table)) proof.add(rows.length, asLines(rows));
  return proof.finish();
}
