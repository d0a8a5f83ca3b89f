import type { ApiKey } from '@linekeeper/contract/auth/api-keys.ts';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { ApiKeysTable } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { holdAccount } from '../../domain/accounts/accounts.ts';
import { fail } from '../../platform/errors/refusal.ts';

export async function listApiKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'kind', 'start', 'created_at', 'last_used_at', 'expires_at'])
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('has_expired'))
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ created_at, last_used_at, expires_at, ...key }) => ({
    ...key,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  }));
}

export async function findApiKey(db: Db, accountId: string, id: string): Promise<ApiKey> {
  const found = (await listApiKeys(db, accountId)).find((key) => key.id === id);
  return found ?? fail('API_KEY_NOT_FOUND');
}

export async function insertApiKey(tx: Tx, row: Insertable<ApiKeysTable>): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute();
}

/** Returns the name of the key that was there. */
export async function removeApiKey(tx: Tx, accountId: string, id: string): Promise<string> {
  const removed = await tx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return removed?.name ?? fail('API_KEY_NOT_FOUND');
}

/** Locks the account, so that keys made side by side do not pass the limit together. */
export async function countApiKeys(tx: Tx, accountId: string): Promise<number> {
  await holdAccount(tx, accountId);
  const { count } = await tx
    .selectFrom('api_keys')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
