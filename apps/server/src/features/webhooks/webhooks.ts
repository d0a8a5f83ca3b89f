import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import * as contract from '@linekeeper/contract/webhooks.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { lockBalance } from '../../domain/accounts/accounts.ts';
import { auditAccount, auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { secondsAhead } from '../../platform/clock.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { parseHost } from '../../platform/http-client/address.ts';
import { chosenBy } from '../../platform/http-client/request.ts';
import { newId } from '../../platform/ids.ts';
import { sentRow } from '../../platform/rows.ts';
import { newWebhookSecret } from './sign.ts';

const { MAX_WEBHOOKS, OLD_SECRET_HOURS, DELIVERIES_LISTED } = contract;
export const OLD_SECRET_SECONDS = OLD_SECRET_HOURS * 3600;

/** SQL of the state of a row of `webhook_deliveries`. */
const deliveryState = sql<contract.DeliveryState>`case when next_try_at is not null then 'waiting'
  when delivered_at is not null then 'delivered' else 'failed' end`;

async function readWebhooks(db: Db, accountId: string): Promise<contract.Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'created_at'])
    .select(
      sql<Date | null>`case when old_secret_until > now() then old_secret_until end`.as(
        'old_secret_until',
      ),
    )
    .select(
      sql<contract.DeliveryState | null>`(select ${deliveryState} from webhook_deliveries
        where webhook_id = webhooks.id order by webhook_deliveries.created_at desc limit 1)`.as(
        'last_state',
      ),
    )
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(sentRow);
}

/** A webhook of the account. Throws WEBHOOK_NOT_FOUND, also for one of another account. */
async function findWebhook(db: Db, accountId: string, id: string): Promise<contract.Webhook> {
  const all = await readWebhooks(db, accountId);
  return all.find((one) => one.id === id) ?? fail('WEBHOOK_NOT_FOUND');
}

/**
 * Refuses an IP address to which the panel would not connect. A host name is not checked here, because each delivery
 * looks it up. Throws INVALID_WEBHOOK_URL.
 */
function checkUrl({ outbound, actor }: Ctx, text: string): void {
  const hostname = URL.canParse(text) ? new URL(text).hostname : '';
  const host = parseHost(hostname === 'localhost' ? '127.0.0.1' : hostname);
  const { permits } = chosenBy(outbound, actor);
  const isRefused = !host || (host.kind === 'ip' && !permits(host.address));
  if (isRefused) failField('url', 'INVALID_WEBHOOK_URL');
}

type Act = 'create_webhook' | 'edit_webhook' | 'delete_webhook' | 'rotate_webhook';

/** Audits an act. Of the address only the host is kept, because its path may have a secret. */
function audit(
  tx: Tx,
  ctx: Ctx,
  act: Act,
  { id, url, events }: Pick<contract.Webhook, 'id' | 'url' | 'events'>,
) {
  const data = { webhook_id: id, host: new URL(url).host, events };
  return auditAccount(tx, auditOriginOf(ctx), `account.${act}`, ctx.actor.id, { data });
}

export const listWebhooks: Action<typeof contract.listWebhooks> = async ({ db, actor }) => ({
  items: await readWebhooks(db, actor.id),
});

export const createWebhook: PlainMutation<typeof contract.createWebhook> = {
  audit: { auditsItself: 'of the account, with host and events of the new webhook' },
  commit: async (tx, ctx, { body: { url, events } }) => {
    const { id: account_id } = ctx.actor;
    checkUrl(ctx, url);
    // Webhooks that are made side by side must not pass the limit together.
    await lockBalance(tx, account_id);
    if ((await readWebhooks(tx, account_id)).length >= MAX_WEBHOOKS) {
      fail('TOO_MANY_WEBHOOKS', { limit: MAX_WEBHOOKS });
    }
    const id = newId();
    const secret = newWebhookSecret();
    const sealed = ctx.secrets.seal(secret, id);
    await tx
      .insertInto('webhooks')
      .values({ id, account_id, url, events: [...new Set(events)], secret: sealed })
      .execute();
    const made = await findWebhook(tx, account_id, id);
    await audit(tx, ctx, 'create_webhook', made);
    return { ...made, secret };
  },
};

export const editWebhook: PlainMutation<typeof contract.editWebhook> = {
  audit: { auditsItself: 'of the account, with host and events of the webhook' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const before = await findWebhook(tx, ctx.actor.id, id);
    if (body.url !== undefined) checkUrl(ctx, body.url);
    const { url = before.url, events = before.events } = body;
    const changed = { url, events: [...new Set(events)] };
    await tx.updateTable('webhooks').set(changed).where('id', '=', id).execute();
    const after = { ...before, ...changed };
    await audit(tx, ctx, 'edit_webhook', after);
    return after;
  },
};

export const deleteWebhook: PlainMutation<typeof contract.deleteWebhook> = {
  audit: {
    auditsItself: 'of the account, with host and events of the webhook that is gone',
    isUncounted: 'its making was counted',
  },
  commit: async (tx, ctx, { params: { id } }) => {
    const removed = await findWebhook(tx, ctx.actor.id, id);
    await tx.deleteFrom('webhooks').where('id', '=', id).execute();
    await audit(tx, ctx, 'delete_webhook', removed);
    return { success: true };
  },
};

export const rotateWebhook: PlainMutation<typeof contract.rotateWebhook> = {
  audit: { auditsItself: 'of the account, with host and events of the webhook' },
  commit: async (tx, ctx, { params: { id } }) => {
    const { actor, secrets } = ctx;
    await findWebhook(tx, actor.id, id);
    const secret = newWebhookSecret();
    await tx
      .updateTable('webhooks')
      .set(({ ref }) => ({
        secret: secrets.seal(secret, id),
        old_secret: ref('secret'),
        old_secret_until: secondsAhead(OLD_SECRET_SECONDS),
      }))
      .where('id', '=', id)
      .execute();
    const rotated = await findWebhook(tx, actor.id, id);
    await audit(tx, ctx, 'rotate_webhook', rotated);
    return { ...rotated, secret };
  },
};

export async function listDeliveries(
  { db, actor }: Ctx,
  { params: { id } }: Parsed<typeof contract.listDeliveries>,
) {
  await findWebhook(db, actor.id, id);
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event', 'attempts', 'created_at', 'tried_at', 'next_try_at'])
    .select(['response_code', 'response', 'reason', 'ms'])
    .select(deliveryState.as('state'))
    .where('webhook_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(DELIVERIES_LISTED)
    .execute();
  return { items: rows.map(sentRow) };
}

export const redeliver: PlainMutation<typeof contract.redeliver> = {
  audit: { notAudited: 'changes nothing but when something is sent' },
  commit: async (tx, { actor }, { params: { id, delivery } }) => {
    await findWebhook(tx, actor.id, id);
    const due = await tx
      .updateTable('webhook_deliveries')
      .set({ next_try_at: sql`now()`, attempts: 0, delivered_at: null })
      .where('id', '=', delivery)
      .where('webhook_id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!due) fail('NOT_FOUND');
    await sql`notify linekeeper_webhook`.execute(tx);
    return { success: true };
  },
};
