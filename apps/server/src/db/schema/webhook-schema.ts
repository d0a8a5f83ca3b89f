import type { UnreachableReason } from '@linekeeper/contract/findings.ts';
import type { WebhookEvent } from '@linekeeper/contract/webhooks.ts';
import type { Generated } from 'kysely';
import type { Json, Moment, OptionalMoment } from './column-types.ts';

/** An address that an account has events sent to. */
interface WebhooksTable {
  id: string;
  account_id: string;
  url: string;
  events: WebhookEvent[];
  /** The secret that signs deliveries, encrypted. */
  secret: string;
  /** The secret before the last rotation, encrypted. */
  old_secret: string | null;
  old_secret_until: OptionalMoment;
  created_at: Moment;
}

/** An event for a webhook, with its latest attempt; queued by triggers. */
interface WebhookDeliveriesTable {
  id: Generated<string>;
  webhook_id: string;
  event: WebhookEvent;
  data: Json<Record<string, unknown>>;
  /** A key of which a webhook gets one delivery only, so that an event is not reported twice. */
  said_once: string | null;
  created_at: Moment;
  attempts: Generated<number>;
  /** Time of the next attempt; null once the event has arrived or was given up. */
  next_try_at: OptionalMoment;
  delivered_at: OptionalMoment;
  tried_at: OptionalMoment;
  response_code: number | null;
  response: string | null;
  reason: UnreachableReason | null;
  ms: number | null;
}

/** All tables of webhooks. */
export interface WebhookTables {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
