import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../../../scripts/test-postgres.ts';
import { connectPostgres } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A folder of this test run for the template of embedded databases. */
    embeddedTemplateFolder: string;
  }
}

/**
 * A migrated database that every test clones, because cloning takes milliseconds and migrations do
 * not.
 */
export const TEMPLATE = 'linekeeper_template';

/** Bytes of free memory for the databases, more than a test run needs. */
const NEEDED_BYTES = 6 * 1024 ** 3;
const MEMORY = '/dev/shm';

/** The folder for databases. In memory a copy takes a fifth of the time, but a container may have too little memory. */
async function baseFolder(): Promise<string> {
  const disk = await statfs(MEMORY).catch(() => null);
  const free = disk ? Math.min(disk.bavail * disk.bsize, freemem()) : 0;
  return free > NEEDED_BYTES ? MEMORY : tmpdir();
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await baseFolder(), 'linekeeper-run-'));
  // A run that ends early must not leave its databases in memory.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The users of programs that tests run can enter their folders below this one, and cannot list it.
  await chmod(folder, 0o711);
  // Temporary files of the tests and of PostgreSQL are deleted with this folder.
  process.env.TMPDIR = folder;
  const postgres = await startPostgres();
  const admin = await connectPostgres(postgres.url());
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.close();
  const template = await connectPostgres(postgres.url(TEMPLATE));
  await migrate(template.db);
  await template.close();
  provide('postgresUrl', postgres.url());
  provide('embeddedTemplateFolder', folder);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
