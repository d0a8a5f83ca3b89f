import { mkdir, rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { configuredKey } from '../../platform/keys/key-file.ts';
import type { Services } from '../context/context.ts';
import { runProgram } from './backup-command.ts';

const program = (name: string) => fileURLToPath(new URL(`../../commands/${name}`, import.meta.url));

/** Bytes that an embedded database needs: some for an empty one, and some for each byte of the packed backup. */
const EMPTY_BYTES = 500_000_000;
const BYTES_A_BYTE = 20;

type Scratch = { env: Record<string, string>; remove(): Promise<unknown> };

async function makeFolder(dataDir: string, bytes: number): Promise<Scratch> {
  const folder = join(resolve(dataDir), 'trial-restore');
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < EMPTY_BYTES + BYTES_A_BYTE * bytes)
    throw new Error(`there is not enough free space for it in ${resolve(dataDir)}`);
  await mkdir(folder, { mode: 0o700 });
  return { env: { DATA_DIR: folder }, remove };
}

async function makeDatabase({ db }: Services, databaseUrl: string): Promise<Scratch> {
  const url = new URL(databaseUrl);
  const name = `${url.pathname.slice(1)}_trial_restore`;
  url.pathname = name;
  const remove = () => sql`drop database if exists ${sql.id(name)} with (force)`.execute(db);
  await remove();
  await sql`create database ${sql.id(name)} template template0`
    .execute(db)
    .catch((error: unknown) => {
      const advice =
        'The panel’s role needs the right to create databases: alter role linekeeper createdb';
      throw new Error(`${errorMessage(error)}. ${advice}`);
    });
  return { env: { DATABASE_URL: url.href }, remove };
}

/**
 * Restores a backup into a separate database, verifies the books there, and removes it. Two commands do this in
 * processes of their own, so that the memory is free again afterwards.
 */
export async function tryRestore(
  services: Services,
  file: string,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  const { config } = services;
  const { data_dir, database_url, time_zone } = config;
  const scratch = await (database_url
    ? makeDatabase(services, database_url)
    : makeFolder(data_dir, bytes));
  const env = { ...scratch.env, SECRET_KEY: configuredKey(config) ?? '', TIME_ZONE: time_zone };
  const run = (name: string, ...args: string[]) =>
    runProgram(process.execPath, { args: [program(name), ...args], env, signal });
  try {
    await run('restore.ts', file);
    await run('verify-ledger.ts');
  } finally {
    await scratch.remove();
  }
}
