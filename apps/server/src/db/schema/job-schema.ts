import type { ServeWay } from '@linekeeper/contract/credits/plans.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import type { Price } from '@linekeeper/contract/pricing.ts';
import type { Generated } from 'kysely';
import type { Json, Moment, OptionalJson, OptionalMoment } from './column-types.ts';

export type JobAction =
  | 'sell'
  | 'renew'
  | 'edit'
  | 'move'
  | 'readdress'
  | 'suspend'
  | 'resume'
  | 'change_plan'
  | 'edit_plan'
  | 'delete'
  | 'export'
  | 'import'
  | 'undo';

/** The price of a term of a plan for an account, and the price list that decides it; null for the panel's price. */
export interface PriceOfTerm extends Price {
  plan_id: string;
  from: { id: string; name: string; owner_id: string | null } | null;
  /** Prices of the term for the accounts above, from the top down. */
  above: number[];
}

/** The fields of a plan on which a sale depends. */
export interface OfferedPlan {
  plan_id: string;
  /** False if it is not on sale, or not for this account. */
  is_offered: boolean;
  serves: ServeWay;
  /** Ids of the plan's servers in order; empty for a plan of every server. */
  server_ids: string[];
}

/** The terms and plans that an account can buy, and the last day on which it sells; null if it has no end. */
export interface Offer {
  /** Prices of the terms, including terms longer than the account may buy. */
  prices: PriceOfTerm[];
  /** The longest term that the account may buy; null or absent without a limit. */
  max_months?: number | null;
  /** The plans of the offer; undefined in a job from version 1.8 or earlier, without plans. */
  plans?: OfferedPlan[];
  ends_on: Day | null;
}

export interface JobsTable {
  id: string;
  account_id: string;
  action: JobAction;
  arguments: Json<Record<string, unknown>>;
  state: Generated<'queued' | 'running' | 'done' | 'cancelled'>;
  undo_of: string | null;
  total: number;
  /** Number of ids that named no line; `total` counts them, and no row is stored of them. */
  not_found: Generated<number>;
  /** The offer to the account at the request; null for a job that sells nothing. */
  offer: OptionalJson<Offer>;
  /** Client address of the request that created the job. */
  address: string | null;
  request_id: string | null;
  created_at: Moment;
  finished_at: OptionalMoment;
  /** The time until which no other panel takes over the job. */
  claimed_until: OptionalMoment;
  updated_at: Moment;
}

export interface JobItemError {
  code: string;
  data: Record<string, unknown>;
  field: string | null;
}

export interface JobItemsTable {
  job_id: string;
  position: number;
  line_id: string | null;
  username: string;
  state: Generated<'waiting' | 'done' | 'failed' | 'skipped'>;
  cost: Generated<number>;
  error: OptionalJson<JobItemError>;
  before: OptionalJson<Record<string, unknown>>;
  after: OptionalJson<Record<string, unknown>>;
  /** For an import, the row of the file until it is imported; for an undo, the delivery for which it waits. */
  input: OptionalJson<Record<string, unknown>>;
  transfer_id: string | null;
  /** The server that had not accepted the item's change when the job ended, and the revision for which it waits. */
  waits_on: string | null;
  waits_for: number | null;
  /** All servers for which the item waits, if its line is on several. */
  also_waits: OptionalJson<{ server_id: string; revision: number }[]>;
}

/** Customers who were notified that they must change their receiver because of a job. */
export interface ToldCustomersTable {
  job_id: string;
  line_id: string;
  told_by: string | null;
  told_at: Moment;
}
