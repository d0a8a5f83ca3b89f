import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { panelPort } from './panel.ts';

/**
 * Passes the database address through a file, because the panel and the tests are processes that
 * share only a port number.
 */
const note = () => join(tmpdir(), `linekeeper-e2e-${panelPort}.database`);

export async function noteDatabase(url: string): Promise<void> {
  await writeFile(note(), url, { mode: 0o600 });
}

export async function forgetDatabase(): Promise<void> {
  await rm(note(), { force: true });
}

/** Writes rows directly, for old data that the panel would refuse today. */
export async function storeDirectly(statements: [sql: string, values: unknown[]][]): Promise<void> {
  const client = new pg.Client({ connectionString: await readFile(note(), 'utf8') });
  await client.connect();
  try {
    for (const [sql, values] of statements) await client.query(sql, values);
  } finally {
    await client.end();
  }
}
