import type { StatusItem } from '@linekeeper/contract/line-fields.ts';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

/** A moment: read as a Date, written as a Date or left to the database's now(). */
type Moment = ColumnType<Date, Date | undefined, Date>;
type OptionalMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A jsonb column: read parsed, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

export interface GroupsTable {
  id: string;
  name: string;
  description: Generated<string>;
  permissions: Generated<string[]>;
  created_at: Moment;
}

export interface AuthUsersTable {
  id: string;
  email: string;
  email_verified: Generated<boolean>;
  full_name: Generated<string>;
  username: string;
  avatar_url: string | null;
  notes: string | null;
  credits: Generated<number>;
  group_id: string;
  is_admin: GeneratedAlways<boolean>;
  owner_id: string | null;
  banned: Generated<boolean>;
  last_sign_in_at: OptionalMoment;
  created_at: Moment;
  updated_at: Moment;
}

export interface AuthSessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Moment;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Moment;
  updated_at: Moment;
}

export interface AuthCredentialsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  password: string | null;
  created_at: Moment;
  updated_at: Moment;
}

export interface AccountTreeTable {
  ancestor_id: string;
  account_id: string;
  depth: number;
}

export interface CccamServersTable {
  id: string;
  server_name: string;
  host_ip: string;
  port: number;
  api_port: number;
  api_scheme: 'http' | 'https';
  username: string;
  /** Sealed. */
  password: string;
  protocol: 'CCcam' | 'NewCamd';
  status: Generated<'active' | 'inactive' | 'error'>;
  status_message: string | null;
  latency_ms: number | null;
  user_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  last_connection: OptionalMoment;
}

export interface ServerChecksTable {
  id: string;
  server_id: string;
  status: 'active' | 'error';
  latency_ms: number | null;
  message: string | null;
  checked_at: Moment;
}

/** Lines. */
export interface UsersTable {
  id: string;
  username: string;
  /** Sealed. */
  password: string;
  protocol: string;
  host_port: string[];
  user_value: string | null;
  added_date: string;
  expiry_date: string;
  live_channel: Generated<string>;
  info: Generated<string>;
  notes: string | null;
  status: Json<StatusItem[]>;
  name: string | null;
  company: string | null;
  role: string | null;
  avatar_url: string | null;
  email: string | null;
  owner_id: string;
  server_id: string;
  is_trial: boolean;
  subscription_months: number | null;
  created_at: Moment;
  updated_at: Moment;
  status_label: GeneratedAlways<string | null>;
  search: GeneratedAlways<string>;
}

export type PushOperation = 'add' | 'edit' | 'renew' | 'delete';

/** What a card server is to hold under a name; the password is read from the line. */
export interface WantedAccount {
  line_id: string;
  expiry_date: string;
}

export interface ServerAccountsTable {
  server_id: string;
  username: string;
  wanted: OptionalJson<WantedAccount>;
  operation: PushOperation;
  on_server: Generated<boolean>;
  revision: Generated<number>;
  synced_revision: Generated<number>;
  attempts: Generated<number>;
  next_try_at: Moment;
  claimed_until: OptionalMoment;
  last_message: string | null;
  /** Since when a change is due; means nothing where none is. */
  wanted_since: Moment;
  updated_at: Moment;
  is_due: GeneratedAlways<boolean>;
}

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
  /** The sale or renewal that this one gives back. */
  refund_of: string | null;
  created_at: Moment;
}

export interface CreditSealsTable {
  number: number;
  transfers: number;
  /** Written as text: a Date has no microseconds. */
  sealed_until: ColumnType<Date, string, never>;
  seal: string;
  created_at: Moment;
}

/** Which seal a transfer is in, and a digest of it. */
export interface CreditSealedTable {
  transfer_id: string;
  seal_number: number;
  digest: Buffer;
}

export type JobAction = 'renew' | 'edit' | 'move' | 'delete' | 'export' | 'import' | 'undo';

export interface JobsTable {
  id: string;
  account_id: string;
  action: JobAction;
  arguments: Json<Record<string, unknown>>;
  state: Generated<'queued' | 'running' | 'done' | 'cancelled'>;
  undo_of: string | null;
  total: number;
  created_at: Moment;
  finished_at: OptionalMoment;
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
  input: OptionalJson<Record<string, unknown>>;
  transfer_id: string | null;
}

export interface IdempotencyKeysTable {
  account_id: string;
  endpoint: string;
  key: string;
  body_hash: string;
  result: OptionalJson<unknown>;
  reply: OptionalJson<unknown>;
  created_at: Moment;
}

export interface RateLimitsTable {
  scope: string;
  subject: string;
  count: number;
  window_ends_at: Moment;
}

export interface SettingsTable {
  key: string;
  value: Json<unknown>;
}

export interface AccountSettingsTable {
  account_id: string;
  value: Json<Record<string, unknown>>;
  updated_at: Moment;
}

export interface AuditLogTable {
  id: string;
  actor_id: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  data: Json<unknown>;
  created_at: Moment;
}

export interface Database {
  groups: GroupsTable;
  auth_users: AuthUsersTable;
  auth_sessions: AuthSessionsTable;
  auth_credentials: AuthCredentialsTable;
  account_tree: AccountTreeTable;
  cccam_servers: CccamServersTable;
  users: UsersTable;
  server_accounts: ServerAccountsTable;
  credit_transfers: CreditTransfersTable;
  credit_seals: CreditSealsTable;
  credit_sealed: CreditSealedTable;
  jobs: JobsTable;
  job_items: JobItemsTable;
  server_checks: ServerChecksTable;
  account_settings: AccountSettingsTable;
  idempotency_keys: IdempotencyKeysTable;
  rate_limits: RateLimitsTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
}

export type AccountRow = Selectable<AuthUsersTable>;
export type ServerRow = Selectable<CccamServersTable>;
