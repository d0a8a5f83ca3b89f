import * as contract from '@linekeeper/contract/auth/api-keys.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { lockBalance } from '../../domain/accounts/accounts.ts';
import { makeApiKey } from '../../domain/accounts/api-keys.ts';
import { holdSession } from '../../domain/accounts/sessions.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { PlainMutation } from '../../domain/use-cases/use-case.ts';
import { endOf } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { sentRow } from '../../platform/rows.ts';

const { MAX_API_KEYS, MAX_API_KEY_YEARS } = contract;

export async function readApiKeys(db: Db, accountId: string): Promise<contract.ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'kind', 'scopes', 'start', 'created_at', 'last_used_at', 'expires_at'])
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('has_expired'))
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(sentRow);
}

type Body = Parsed<typeof contract.createApiKey>['body'];

/** The expiry of a key. Throws INVALID_KEY_EXPIRY if it has passed or is too many years ahead. */
async function readExpiry(tx: Tx, ctx: Ctx, { expires_at }: Body): Promise<Date | null> {
  if (!expires_at) return null;
  const { rows } = await sql<{ expiry: Date; is_sound: boolean }>`
    select expiry, expiry > now() and expiry < now() + make_interval(years => ${MAX_API_KEY_YEARS}, days => 1)
      as is_sound
    from (select ${endOf(expires_at, ctx.config.time_zone)}::timestamptz as expiry) as asked`.execute(
    tx,
  );
  const [asked] = rows;
  if (!asked?.is_sound) failField('expires_at', 'INVALID_KEY_EXPIRY', { years: MAX_API_KEY_YEARS });
  return asked.expiry;
}

/** Creates a key. `commit` returns the key itself, which is never stored, so the call takes no Idempotency-Key. */
export const createApiKey: PlainMutation<typeof contract.createApiKey> = {
  audit: { auditsItself: 'of the account, with the name of the new key' },
  commit: async (tx, ctx, { body }) => {
    const { id: account_id } = ctx.actor;
    const expires_at = await readExpiry(tx, ctx, body);
    // Keys that are created at the same time must not exceed the limit together.
    await lockBalance(tx, account_id);
    if ((await readApiKeys(tx, account_id)).length >= MAX_API_KEYS) {
      fail('TOO_MANY_API_KEYS', { limit: MAX_API_KEYS });
    }
    if (body.kind === 'backup' && !ctx.actor.is_admin) failField('kind', 'ADMIN_ONLY_FIELD');
    await holdSession(tx, ctx.session_id);
    const id = newId();
    const { key, ...stored } = makeApiKey();
    const { name, kind } = body;
    const scopes = kind === 'account' && body.scopes ? [...new Set(body.scopes)] : null;
    await tx
      .insertInto('api_keys')
      .values({ id, account_id, name, kind, scopes, expires_at, ...stored })
      .execute();
    const data = { api_key_id: id, name, kind, ...(scopes && { scopes }), expires_at };
    await auditAccount(tx, auditOriginOf(ctx), 'account.create_api_key', account_id, { data });
    // The key is read within the transaction, because a ban right after the commit may remove it.
    const made = (await readApiKeys(tx, account_id)).find((one) => one.id === id);
    return { ...(made ?? fail('API_KEY_NOT_FOUND')), key };
  },
};

/** Revokes a key. Its streams end by the trigger of its row. */
export const deleteApiKey: PlainMutation<typeof contract.deleteApiKey> = {
  audit: {
    auditsItself: 'of the account, with the name of the key that is gone',
    isUncounted: 'its making was counted, and a thief of a key must not prevent this',
  },
  commit: async (tx, ctx, { params: { id } }) => {
    const removed = await tx
      .deleteFrom('api_keys')
      .where('id', '=', id)
      .where('account_id', '=', ctx.actor.id)
      .returning('name')
      .executeTakeFirst();
    if (!removed) return fail('API_KEY_NOT_FOUND');
    const data = { api_key_id: id, name: removed.name };
    await auditAccount(tx, auditOriginOf(ctx), 'account.revoke_api_key', ctx.actor.id, { data });
    return { success: true };
  },
};
