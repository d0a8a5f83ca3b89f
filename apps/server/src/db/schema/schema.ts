import type { ApiKeyKind } from '@linekeeper/contract/auth/api-keys.ts';
import type { ApiKeyScope } from '@linekeeper/contract/auth/scopes.ts';
import type { ContactStatus } from '@linekeeper/contract/contact.ts';
import type { PlanTerm, ServeWay } from '@linekeeper/contract/credits/plans.ts';
import type { ListTerm } from '@linekeeper/contract/credits/price-lists.ts';
import type { StoredLineDetails } from '@linekeeper/contract/fields/line-details.ts';
import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';
import type { PaymentState } from '@linekeeper/contract/fields/payment.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { SyncState } from '@linekeeper/contract/lines/lines.ts';
import type { ReminderWay, unsentReasons } from '@linekeeper/contract/lines/reminders.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import type { MessageState } from '@linekeeper/contract/messages.ts';
import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { StoredSuspension } from '../stored-suspension.ts';
import type {
  AuditLogTable,
  CreditTransfersTable,
  LinePushesTable,
  SealChecksTable,
  SealCutsTable,
  SealedTable,
  SealsTable,
  SoldTermsTable,
} from './append-only-schema.ts';
import type { Json, Moment, OptionalJson, OptionalMoment } from './column-types.ts';
import type { JobItemsTable, JobsTable, ToldCustomersTable } from './job-schema.ts';
import type { CccamServersTable, ServerTables } from './server-schema.ts';
import type { TicketTables } from './ticket-schema.ts';
import type { TopUpTables } from './top-up-schema.ts';
import type { WebhookTables } from './webhook-schema.ts';

interface NotificationsTable {
  id: string;
  account_id: string;
  kind: NotificationKind;
  title: string;
  content: string;
  link: string | null;
  is_read: Generated<boolean>;
  created_at: Moment;
  said_once: string | null;
}

/** An email in the queue. */
interface MailsTable {
  id: Generated<string>;
  mail: Json<object>;
  key: GeneratedAlways<string>;
  account_id: GeneratedAlways<string | null>;
  is_gathered: Generated<boolean>;
  attempts: Generated<number>;
  next_try_at: Moment;
}

interface PushSubscriptionsTable {
  id: string;
  account_id: string;
  session_id: string;
  /** The browser's subscription as JSON, encrypted. */
  sealed: string;
  hash: string;
  created_at: Moment;
}

/** A notification in the queue of a browser. */
interface WebPushesTable {
  notification_id: string;
  subscription_id: string;
  attempts: Generated<number>;
  next_try_at: Moment;
}

interface MessagesTable {
  id: string;
  title: string;
  content: string;
  is_global: boolean;
  recipient_id: string | null;
  /** The server of a message to the accounts with lines on it, and the server's name at that time. */
  server_id: string | null;
  server_name: string | null;
  /** Title and content by language, if readers get the message in their own language. */
  texts: OptionalJson<Record<string, { title: string; content: string }>>;
  created_by: string;
  state: MessageState;
  publish_at: Moment;
  expires_at: OptionalMoment;
  created_at: Moment;
  search: GeneratedAlways<string>;
}

interface MessageTables {
  messages: MessagesTable;
  /** Accounts with lines on the server of a message when it was published. */
  message_readers: { message_id: string; account_id: string };
  message_reads: { message_id: string; account_id: string; read_at: Moment };
  /** The account has read all messages that were published until `read_until`. */
  message_marks: { account_id: string; read_until: Moment };
  /** Published messages whose emails are not all queued yet. */
  message_mails: { message_id: string; last_account_id: string | null };
}

/** A message sent by the contact form. */
interface ContactMessagesTable {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
  /** The language of the email with the reply. */
  language: Language;
  /** The account of the sender; null for a visitor. */
  account_id: string | null;
  status: Generated<ContactStatus>;
  created_at: Moment;
  answer: string | null;
  answered_at: OptionalMoment;
  answered_by: string | null;
  answer_is_mailed: Generated<boolean>;
}

/** Result of a scheduled backup. File, bytes and sha256 are null if it failed. */
interface BackupRunsTable {
  due_at: Moment;
  state: 'made' | 'failed';
  finished_at: Moment;
  /** The last attempt that failed, kept even if a later one succeeds. */
  failed_at: OptionalMoment;
  file: string | null;
  bytes: number | null;
  sha256: string | null;
}

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
  /** True once the owner of the mailbox has set the password by an emailed link, or confirmed the sign-up. */
  is_mailbox_proven: Generated<boolean>;
  full_name: Generated<string>;
  username: string;
  avatar_url: string | null;
  notes: string | null;
  credits: Generated<number>;
  group_id: string;
  is_admin: GeneratedAlways<boolean>;
  owner_id: string | null;
  price_list_id: string | null;
  banned: Generated<boolean>;
  /** Email, username and full name, folded. */
  search: GeneratedAlways<string>;
  last_sign_in_at: OptionalMoment;
  created_at: Moment;
  updated_at: Moment;
}

/** An entry of a seller's bookkeeping, for a sale or a renewal. */
interface BookEntriesTable {
  id: string;
  account_id: string;
  /** The id of the line; null once it is deleted. */
  line_id: string | null;
  username: string;
  plan_id: string | null;
  months: number | null;
  state: PaymentState;
  amount_minor: number | null;
  currency: string | null;
  due: string | null;
  created_at: Moment;
  paid_at: OptionalMoment;
  job_id: string | null;
}

/** A reminder to the customer of a line. */
interface RemindersTable {
  id: string;
  line_id: string;
  expiry_date: string;
  /** Days before the expiry date for which the email was sent; null for a reminder that the seller sent. */
  day: number | null;
  way: ReminderWay | 'mail';
  sent_at: Moment;
  reason: Generated<(typeof unsentReasons)[number] | null>;
}

/** A plan: its servers and its prices. */
interface PlansTable {
  id: string;
  name: string;
  description: string | null;
  position: Generated<number>;
  is_offered: Generated<boolean>;
  serves: Generated<ServeWay>;
  terms: Json<PlanTerm[]>;
  updated_at: Moment;
}

/** A server of a plan, and the rights of its lines there; null for the card server's defaults. */
interface PlanServersTable {
  plan_id: string;
  server_id: string;
  position: number;
  rights: OptionalJson<Rights>;
}

/** Prices for accounts below the owner, or, if it has no owner, the panel's prices. */
interface PriceListsTable {
  id: string;
  owner_id: string | null;
  name: string;
  /** Hundredths of the owner's prices; null if `terms` has prices. */
  factor_percent: number | null;
  terms: Json<ListTerm[]>;
  created_at: Moment;
}

/** Limits of an account and all accounts below it; null is no limit. */
interface AccountLimitsTable {
  account_id: string;
  lines: number | null;
  accounts: number | null;
  trials: number | null;
  max_months: number | null;
  may_delete: Generated<boolean>;
  /** Plans that the account may sell. */
  plan_ids: string[] | null;
  /** The last day on which the account sells. */
  ends_on: string | null;
}

interface AuthSessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Moment;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Moment;
  updated_at: Moment;
  last_used_at: Moment;
}

interface AuthCredentialsTable {
  user_id: string;
  password: string | null;
  created_at: Moment;
  updated_at: Moment;
}

/** Numbers of each account's lines and of the accounts below it, which triggers keep up to date. */
export interface AccountFiguresTable {
  account_id: string;
  /** The account's own lines, without those of accounts below. */
  line_count: Generated<number>;
  /** The number of all accounts below this one. */
  subtree_count: Generated<number>;
}

/** A token of a link, or of a sign-in that waits for its second step. */
interface OneTimeTokensTable {
  token_hash: string;
  purpose: string;
  account_id: string;
  /** Facts of the token, by its purpose. */
  data: Json<unknown>;
  expires_at: Moment;
  created_at: Moment;
}

/** The secret of an account's authenticator app. */
interface TwoFactorTable {
  account_id: string;
  /** The secret, encrypted. */
  secret: string;
  is_on: Generated<boolean>;
  /** Time step of the newest accepted code. */
  last_step: Generated<number>;
  created_at: Moment;
}

/** API keys, which scripts send instead of a session's cookie. */
export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  kind: Generated<ApiKeyKind>;
  /** The first characters of the key, by which its owner recognises it. */
  start: string;
  key_hash: string;
  created_at: Moment;
  /** Time when the key expires; null if it does not. */
  expires_at: OptionalMoment;
  /** Time of the last use of the key, written at most once a minute. */
  last_used_at: OptionalMoment;
  /** The scopes of the key; null if it may do all that its owner may. */
  scopes: ApiKeyScope[] | null;
}

export interface ArticlesTable {
  id: string;
  title: string;
  /** Markdown. */
  body: string;
  /** The body as plain text, without Markdown's signs. */
  body_text: string;
  category: ArticleCategory;
  locale: Language;
  position: number;
  translation_of: string | null;
  is_published: Generated<boolean>;
  /** The account that wrote the article; null if it came with the panel. */
  created_by: string | null;
  created_at: Moment;
  updated_at: Moment;
  search: GeneratedAlways<string>;
  folded: GeneratedAlways<string>;
}

/** The details of a line. Those that are never null have a default. */
type LineDetailColumns = {
  [Name in keyof StoredLineDetails]: null extends StoredLineDetails[Name]
    ? StoredLineDetails[Name]
    : Generated<StoredLineDetails[Name]>;
};

/** Lines; the table's name comes from the specification. */
export interface UsersTable extends LineDetailColumns {
  id: string;
  username: string;
  /** The line's password, encrypted. */
  password: string;
  protocol: string;
  host_port: string[];
  added_date: string;
  expiry_date: string;
  status: Json<StatusItem[]>;
  owner_id: string;
  server_id: string;
  plan_id: Generated<string>;
  is_trial: boolean;
  subscription_months: number | null;
  created_at: Moment;
  updated_at: Moment;
  /** True if the name looks like another line's; both existed before names were compared in normalised form. */
  is_name_twin: Generated<boolean>;
  suspension: OptionalJson<StoredSuspension>;
  /** True if the line may be online from more networks at the same time than the settings allow. */
  sharing_exempt: Generated<boolean>;
  /** The address whose owner stopped the reminders about this line. */
  reminders_stopped_for: Generated<string | null>;
  /** The months by which the line renews itself; null if it does not. */
  auto_renew_months: number | null;
  /** True if the line was online at least once. */
  has_connected: Generated<boolean>;
  status_label: GeneratedAlways<string | null>;
  search: GeneratedAlways<string>;
}

/**
 * The wanted state of an account on a card server; its password is read from the line. Version 1.8 reads its `line_id`.
 */
export interface WantedAccount {
  expiry_date: string;
  /** Rights of the line on this server, by its plan. */
  rights?: Rights;
  /**
   * True for the account of a line's former name or server, with which the line works until the new one is delivered.
   */
  is_former?: true;
  /** True for a former account whose line is suspended. A suspended line's own account is not wanted at all. */
  is_suspended?: true;
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
  /** End of the lease of an attempt. It stays if no response came, because the account may then be on the server. */
  claimed_until: OptionalMoment;
  /** Finding of the last attempt; null before the first and after a success. */
  last_finding: OptionalJson<Finding>;
  /** The encrypted password that an operator's row may still have, and the line to which it belonged. */
  left_password: OptionalJson<{ line_id: string; password: string }>;
  /** The line of the account, even if the account is not wanted on the server; null if it is to be removed. */
  of_line: Generated<string | null>;
  /** The rights that the panel last delivered to the card server. */
  rights: OptionalJson<Rights>;
  /** Time since which a push is due; meaningless if none is. */
  wanted_since: Moment;
  sync_state: GeneratedAlways<SyncState>;
}

/** An unknown username: a card server has it, and the panel does not. */
interface ServerOrphansTable {
  id: string;
  server_id: string;
  username: string;
  /** The expiry date; null if the server reports none. */
  expiry_date: string | null;
  found_at: Moment;
}

/** The time at which a server's usernames were last read. */
interface OrphanLooksTable {
  server_id: string;
  /** A number that every change of the server's orphans increases. */
  revision: Generated<number>;
  next_look_at: Moment;
  looked_at: OptionalMoment;
  /** The reason why the server's names could not be read; null if they were read. */
  finding: OptionalJson<Finding>;
  tells_passwords: Generated<boolean>;
}

/** A recent trial, with a row for each name that it had; its line may have been deleted. */
interface TrialsMadeTable {
  line_id: string;
  /** The username in normalised form; empty if version 1.1 stored it. */
  username: Generated<string>;
  server_id: string | null;
  /** Servers to which the line was moved while it was a trial with this name; kept by a trigger. */
  also_on: Generated<string[]>;
  account_id: string;
  /** The day in the panel's time zone; null if version 1.8 stored the trial. */
  made_on: string | null;
  made_at: Moment;
}

interface IdempotencyKeysTable {
  account_id: string;
  endpoint: string;
  key: string;
  body_hash: string;
  result: OptionalJson<unknown>;
  reply: OptionalJson<unknown>;
  created_at: Moment;
}

interface AccountTextsTable {
  account_id: string;
  /** Own texts for customers, by occasion and language. */
  texts: Json<Record<string, unknown>>;
}

/** The page of a line's customer. */
interface LinePagesTable {
  line_id: string;
  /** The id of the link, from which its token is derived; a new link gets another. */
  id: string;
  token_hash: string;
  made_at: Moment;
  opened_at: OptionalMoment;
  /**
   * Time when the customer asked for a renewal, and the expiry date then: if the date has changed since, the line was
   * renewed.
   */
  asked_at: OptionalMoment;
  asked_expiry: string | null;
}

interface AccountSettingsTable {
  account_id: string;
  value: Json<Record<string, unknown>>;
  updated_at: Moment;
}

interface SchedulesTable {
  name: string;
  /**
   * Time when the panel next checks whether the job is due; while a panel runs the job, the end of that panel's lease.
   */
  next_at: Moment;
  /** The last due time whose work has ended; null for work at an interval. */
  done_at: ColumnType<Date | null, string | undefined, string | null>;
  /** Attempts since the job last ended. */
  attempts: Generated<number>;
}

export interface Database
  extends MessageTables,
    TicketTables,
    TopUpTables,
    ServerTables,
    WebhookTables {
  groups: GroupsTable;
  account_figures: AccountFiguresTable;
  one_time_tokens: OneTimeTokensTable;
  api_keys: ApiKeysTable;
  two_factor: TwoFactorTable;
  recovery_codes: { account_id: string; code_hash: string };
  articles: ArticlesTable;
  article_feedback: { article_id: string; account_id: string; helpful: boolean; given_at: Moment };
  shipped_articles: { name: string; locale: Language; shipped_at: Moment };
  auth_users: AuthUsersTable;
  auth_sessions: AuthSessionsTable;
  auth_credentials: AuthCredentialsTable;
  account_tree: { ancestor_id: string; account_id: string; depth: number };
  users: UsersTable;
  server_accounts: ServerAccountsTable;
  line_pushes: LinePushesTable;
  account_limits: AccountLimitsTable;
  plans: PlansTable;
  plan_servers: PlanServersTable;
  price_lists: PriceListsTable;
  credit_transfers: CreditTransfersTable;
  sold_terms: SoldTermsTable;
  book_entries: BookEntriesTable;
  reminders: RemindersTable;
  credit_seals: SealsTable<'transfers'>;
  credit_sealed: SealedTable<'transfer_id'>;
  jobs: JobsTable;
  job_items: JobItemsTable;
  told_customers: ToldCustomersTable;
  server_orphans: ServerOrphansTable;
  orphan_looks: OrphanLooksTable;
  account_settings: AccountSettingsTable;
  account_texts: AccountTextsTable;
  line_pages: LinePagesTable;
  trials_made: TrialsMadeTable;
  idempotency_keys: IdempotencyKeysTable;
  rate_limits: { scope: string; subject: string; count: number; window_ends_at: Moment };
  settings: { key: string; value: Json<unknown> };
  audit_log: AuditLogTable;
  audit_seals: SealsTable<'entries'>;
  audit_sealed: SealedTable<'entry_id'>;
  seal_checks: SealChecksTable;
  seal_cuts: SealCutsTable;
  backup_runs: BackupRunsTable;
  schedules: SchedulesTable;
  notifications: NotificationsTable;
  mails: MailsTable;
  push_subscriptions: PushSubscriptionsTable;
  web_pushes: WebPushesTable;
  reminded_owners: { account_id: string; reminded_on: string | null };
  contact_messages: ContactMessagesTable;
}

export type AccountRow = Selectable<AuthUsersTable>;
export type ServerRow = Selectable<CccamServersTable>;
