import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/keys/secrets.ts';
import { dump } from '../database/dump.ts';

/** All encrypted texts in any column of any table, each with all ids of its row. */
export async function sealedTexts(db: Db) {
  const rows = Object.values(await dump(db)).flat();
  return rows.flatMap((row) => {
    const ids = [...row.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|secret_key_check/g)];
    return [...row.matchAll(/v1:[A-Za-z0-9+/]{38,}=*/g)].map(([sealed]) => ({
      sealed,
      ids: ids.map(([id]) => id),
    }));
  });
}

/** Returns a function that tests if `key` decrypts a text with one of the row's ids. */
export function opener(key: string) {
  const secrets = createSecrets(key);
  return ({ sealed, ids }: { sealed: string; ids: string[] }) =>
    ids.some((id) => {
      try {
        secrets.open(sealed, id);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Adds lines, an import and a deleted line with encrypted passwords, and the secret of an authenticator
 * app.
 */
export async function addSealedRows(
  db: Db,
  key: string,
  server_id: string,
  lines: number,
): Promise<void> {
  const secrets = createSecrets(key);
  const { id: account_id } = await db
    .selectFrom('auth_users')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('two_factor')
    .values({ account_id, secret: secrets.seal('a secret of an app', account_id) })
    .execute();
  const ids = Array.from({ length: lines }, newId);
  const sealed = ids.map((id) => secrets.seal(`pw of ${id}`, id));
  await sql`insert into users
      (id, username, password, added_date, expiry_date, status, owner_id, server_id)
    select id::uuid, 'stored' || id, sealed, '2026-01-01', '2099-01-01', '[]', ${account_id}, ${server_id}
    from unnest(${ids}::text[], ${sealed}::text[]) as given (id, sealed)`.execute(db);
  const deleted = newId();
  const left = { line_id: deleted, password: secrets.seal('a password of before', deleted) };
  await db
    .insertInto('server_accounts')
    .values({
      server_id,
      username: 'deleted',
      wanted: null,
      operation: 'delete',
      left_password: JSON.stringify(left),
      // The change counts as synced, because otherwise the panel would carry it out.
      synced_revision: 1,
    })
    .execute();
  const job_id = newId();
  await db
    .insertInto('jobs')
    // The job has ended, because the next start would run a waiting job and erase its rows.
    .values({ id: job_id, account_id, action: 'import', state: 'done', arguments: '{}', total: 2 })
    .execute();
  const line_id = newId();
  const password = secrets.seal('an imported password', line_id);
  await db
    .insertInto('job_items')
    .values([
      {
        job_id,
        position: 1,
        line_id,
        username: 'a',
        input: JSON.stringify({ password, name: 'A' }),
      },
      {
        job_id,
        position: 2,
        line_id: newId(),
        username: 'b',
        input: JSON.stringify({ name: 'B' }),
      },
    ])
    .execute();
}
