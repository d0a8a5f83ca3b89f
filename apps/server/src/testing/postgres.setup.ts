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

/** More space than a test run needs. */
const NEEDED_BYTES = 6 * 1024 ** 3;
const MEMORY = '/dev/shm';

/** Databases are copied a fifth of the time in memory; a container may have too little of it. */
async function baseFolder(): Promise<string> {
  const disk = await statfs(MEMORY).catch(() => null);
  const free = disk ? Math.min(disk.bavail * disk.bsize, freemem()) : 0;
  return free > NEEDED_BYTES ? MEMORY : tmpdir();
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await baseFolder(), 'linekeeper-run-'));
  // A run that is ended early must not go on filling the memory.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Users that tests run programs as enter their folders below, and cannot list this one.
  await chmod(folder, 0o711);
  // Temporary files of tests, and of PostgreSQL, are deleted with this folder.
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
