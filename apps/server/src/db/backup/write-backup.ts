import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { appliedMigrations } from '../migrate.ts';
import { type Db, type Tx, transact } from '../transaction.ts';
import { FORMAT, FORMAT_VERSION, type Foot, type Head, type TableHead } from './file-format.ts';
import { asLines, fixTextForms, readRows, readTables, TableDigester } from './tables.ts';

interface WriteOptions {
  /** False for plain text, which is faster to write while others wait; `npm run backup` compresses with gzip. */
  packed: boolean;
  signal?: AbortSignal;
  /** The file if already open for writing; closed at the end. */
  fd?: number;
}

/**
 * Writes a snapshot of all tables to `file`, readable by its owner only. On PostgreSQL others can
 * write in the meantime; on the embedded database they wait for this transaction.
 */
export async function writeBackup(
  db: Db,
  file: string,
  { packed, signal = new AbortController().signal, fd }: WriteOptions,
): Promise<void> {
  await transact(db, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx);
    await fixTextForms(tx);
    await pipeline(
      [
        Readable.from(backupLines(tx)),
        ...(packed ? [createGzip()] : []),
        createWriteStream(file, { mode: 0o600, flush: packed, fd }),
      ],
      { signal },
    );
  });
}

/** Yields the file's lines in large chunks. */
async function* backupLines(tx: Tx): AsyncGenerator<string> {
  const whole = createHash('sha256');
  const hashed = (text: string) => {
    whole.update(text);
    return text;
  };
  const head: Head = {
    format: FORMAT,
    version: FORMAT_VERSION,
    created_at: new Date().toISOString(),
    migrations: await appliedMigrations(tx),
  };
  yield hashed(jsonLine(head));
  const tables = await readTables(tx);
  let rowsOfAll = 0;
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    yield hashed(jsonLine({ table: table.name, columns } satisfies TableHead));
    const proof = new TableDigester();
    for await (const rows of readRows(tx, table)) {
      const text = asLines(rows);
      proof.add(rows.length, text);
      yield hashed(text);
      // On the embedded database, requests that need no data are served between two batches.
      await afterOthers();
    }
    const proved = proof.finish();
    rowsOfAll += proved.rows;
    yield hashed(jsonLine(proved));
  }
  yield jsonLine({
    tables: tables.length,
    rows: rowsOfAll,
    sha256: whole.digest('hex'),
  } satisfies Foot);
}

const jsonLine = (value: object) => `${JSON.stringify(value)}\n`;
