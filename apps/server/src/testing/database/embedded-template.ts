import { cpSync } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmbedded } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';

/** Milliseconds to wait for a template. Creating one takes seconds, and longer on a busy machine. */
const WAIT_MS = 120_000;

/** The state of a template: a new embedded database, or one with all migrations. */
type Template = 'empty' | 'migrated';

/**
 * Copies a migrated embedded database into `folder`, which takes a tenth of the time of creating
 * one. The first caller creates the template in `shared`, a folder of this test run.
 */
export function copyEmbeddedTemplate(shared: string, folder: string): Promise<void> {
  return copyTemplate(shared, folder, 'migrated');
}

/**
 * Copies a new embedded database without tables into `folder`, for tests that run migrations themselves. It is created
 * once in `shared`, a folder of this test run, and then copied, because creating one takes seconds.
 */
export function copyEmptyTemplate(shared: string, folder: string): Promise<void> {
  return copyTemplate(shared, folder, 'empty');
}

async function copyTemplate(shared: string, folder: string, name: Template): Promise<void> {
  const template = join(shared, name);
  if (await isFirst(shared, name)) await makeTemplate(shared, name);
  const endsAt = Date.now() + WAIT_MS;
  while (!(await exists(template))) {
    // The process that was creating the template has failed, so the panel creates its own database.
    if (Date.now() > endsAt) return;
    await sleep(50);
  }
  // The template has a thousand small files: copying the folder in one call takes a fifth of the
  // CPU time of a call for each file.
  cpSync(join(template, 'pgdata'), join(folder, 'pgdata'), { recursive: true });
}

async function isFirst(shared: string, name: Template): Promise<boolean> {
  return mkdir(join(shared, `${name}-begun`)).then(
    () => true,
    () => false,
  );
}

async function makeTemplate(shared: string, name: Template): Promise<void> {
  const making = join(shared, `${name}-making`);
  if (name === 'migrated') await copyEmptyTemplate(shared, making);
  const connection = await connectEmbedded(making);
  if (name === 'migrated') await migrate(connection.db);
  await connection.close();
  await rename(making, join(shared, name));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
