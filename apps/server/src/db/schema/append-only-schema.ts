import type { Finding } from '@linekeeper/contract/findings.ts';
import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import type { ColumnType } from 'kysely';
import type { Json, Moment, OptionalJson } from './column-types.ts';

export interface CreditTransfersTable {
  id: string;
  kind: string;
  from_id: string;
  to_id: string;
  amount: number;
  actor_id: string | null;
  note: string | null;
  line_id: string | null;
  username: string | null;
  /** Id of the sale or renewal that this transfer refunds. */
  refund_of: string | null;
  created_at: Moment;
  /** The job that made the transfer; null for one that was made outside a job. */
  job_id: string | null;
  /** The first transfer of the bundle to which this one belongs, see domain/credits/bundles.ts. */
  bundle_id: string | null;
  bundle_nth: number | null;
  /** Credits of the bundle up to and with this transfer. */
  bundle_amount: number | null;
}

/** The periods of lines that were paid for, one for each sale and renewal. */
export interface SoldTermsTable {
  transfer_id: string;
  months: number;
  /** The first paid day; null if it is `months` before the last one. */
  begins_on: string | null;
  /** The line's expiry date after this sale or renewal. */
  expiry_date: string;
}

/** A seal over a batch of rows. `Rows` is the column that counts them. */
export type SealsTable<Rows extends string> = Record<Rows, number> & {
  number: number;
  /** The moment is written as text, because a Date has no microseconds. */
  sealed_until: ColumnType<Date, string, never>;
  seal: string;
  created_at: Moment;
};

/** The seal that contains a row, and the row's digest. `Id` is the column that names the row. */
export type SealedTable<Id extends string> = Record<Id, string> & {
  seal_number: number;
  digest: Buffer;
};

export interface AuditLogTable {
  id: string;
  actor_id: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  data: Json<unknown>;
  before: OptionalJson<Record<string, unknown>>;
  after: OptionalJson<Record<string, unknown>>;
  address: string | null;
  request_id: string | null;
  created_at: Moment;
}

/** The last seal that a clean-up removed with its entries, because of their age. */
export interface SealCutsTable {
  table_name: string;
  number: number;
  seal: string;
  sealed_until: ColumnType<Date, string, string>;
  /** Number of entries removed by all clean-ups so far. */
  entries: number;
  proof: string;
}

/** Results of the last check of each table's seals. */
export interface SealChecksTable {
  table_name: string;
  faults: number;
  checked_at: Moment;
}

/** Outcomes of pushes of lines: the first failure or the delivery. */
export interface LinePushesTable {
  id: string;
  line_id: string;
  /** The line's owner at that time. */
  owner_id: string;
  server_id: string;
  username: string;
  operation: PushOperation;
  ok: boolean;
  /** Failed attempts before this one. */
  failures: number;
  /** Milliseconds from the change to its delivery. */
  took_ms: number;
  finding: OptionalJson<Finding>;
  created_at: Moment;
}
