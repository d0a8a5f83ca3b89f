import * as contract from '@linekeeper/contract/auth/api-keys.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { makeApiKey } from '../../domain/accounts/api-keys.ts';
import { holdSession } from '../../domain/accounts/sessions.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { endOf } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { countApiKeys, findApiKey, insertApiKey } from './store.ts';

const { MAX_API_KEYS, MAX_API_KEY_YEARS } = contract;

type Body = Parameters<(typeof createApiKey)['commit']>[2]['body'];

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

/** `commit` returns the key itself, which is never stored: the call takes no Idempotency-Key. */
export const createApiKey: Mutation<typeof contract.createApiKey, contract.CreatedApiKey> = {
  audit: { auditsItself: 'of the account, with the name of the new key' },
  commit: async (tx, ctx, { body }) => {
    const { id: account_id } = ctx.actor;
    const expires_at = await readExpiry(tx, ctx, body);
    if ((await countApiKeys(tx, account_id)) >= MAX_API_KEYS) {
      fail('TOO_MANY_API_KEYS', { limit: MAX_API_KEYS });
    }
    if (body.kind === 'backup' && !ctx.actor.is_admin) failField('kind', 'ADMIN_ONLY_FIELD');
    await holdSession(tx, ctx.session_id);
    const id = newId();
    const { key, ...stored } = makeApiKey();
    const { name, kind } = body;
    await insertApiKey(tx, { id, account_id, name, kind, expires_at, ...stored });
    await writeAudit(tx, auditOriginOf(ctx), [
      {
        action: 'account.create_api_key',
        subject_type: 'account',
        subject_id: account_id,
        data: { api_key_id: id, name, kind, expires_at },
      },
    ]);
    // Read here: after the commit, a ban may already have removed it.
    return { ...(await findApiKey(tx, account_id, id)), key };
  },
  reply: async (_ctx, created) => created,
};
