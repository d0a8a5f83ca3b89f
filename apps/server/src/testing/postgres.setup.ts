import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../../../scripts/test-postgres.ts';
import { connectPostgres } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A folder of this test run, for the template of embedded databases. */
    embeddedTemplateFolder: string;
  }
}

/** A migrated database that every test clones: a clone takes milliseconds, migrations do not. */
export const TEMPLATE = 'linekeeper_template';

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const admin = await connectPostgres(postgres.url());
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.close();
  const template = await connectPostgres(postgres.url(TEMPLATE));
  await migrate(template.db);
  await template.close();
  provide('postgresUrl', postgres.url());
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-run-'));
  provide('embeddedTemplateFolder', folder);
  // What tests leave in the temporary folder goes with this one.
  process.env.TMPDIR = folder;
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
