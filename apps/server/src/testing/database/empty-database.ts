import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Db } from '../../db/transaction.ts';
import { makeDatabase, type TestDatabase } from '../panel.ts';
import { copyEmptyTemplate } from './embedded-template.ts';
import { openDatabase } from './open-database.ts';

/** Creates an empty database without any schema, to test migrations of stored rows. */
export async function withEmptyDatabase(
  kind: TestDatabase,
  use: (db: Db) => Promise<void>,
): Promise<void> {
  const { env, remove } = await makeDatabase(kind, '');
  if (env.DATA_DIR) await copyEmptyTemplate(inject('embeddedTemplateFolder'), env.DATA_DIR);
  const { db, close } = await openDatabase(env);
  await use(db).finally(close).finally(remove);
}

/** Ids of the rows that `addOwnerAndServer` writes. */
export const OWNER = '01a1fd85-0000-7000-8000-000000000001';
export const SERVER = '01a1fd85-0000-7000-8000-000000000002';

/** Writes what lines need into a database of any earlier version. */
export async function addOwnerAndServer(db: Db): Promise<void> {
  await sql`insert into auth_users (id, email, username, group_id)
    values (${OWNER}, 'owner@panel.example', 'owner', '1')`.execute(db);
  await sql`insert into cccam_servers (id, server_name, host_ip, port, api_port, api_scheme,
      username, password, protocol)
    values (${SERVER}, 'One', '127.0.0.1', 12000, 1, 'http', 'panel', 'sealed', 'CCcam')`.execute(
    db,
  );
}
