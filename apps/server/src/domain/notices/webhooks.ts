import type { WebhookEvent } from '@linekeeper/contract/webhooks.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';

/**
 * Queues an event for the webhooks of some accounts and of all administrators, in the transaction that causes it. Events of
 * lines, top-ups and tickets are queued by triggers.
 */
export async function queueWebhooks(
  tx: Tx,
  event: WebhookEvent,
  accountIds: readonly string[],
  data: Record<string, unknown>,
): Promise<void> {
  await sql`select queue_webhooks(${event}, ${accountIds}::uuid[], ${JSON.stringify(data)}::jsonb)`.execute(
    tx,
  );
}

/**
 * Deletes the deliveries of an account that is no longer an administrator, because they contain data about lines of
 * others.
 */
export async function forgetDeliveries(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from webhook_deliveries using webhooks
    where webhooks.id = webhook_id and account_id = ${accountId}`.execute(tx);
}
