import type { ApiKeyKind } from '@linekeeper/contract/auth/api-keys.ts';
import type { Generated } from 'kysely';
import type { Moment, OptionalMoment } from '../column-types.ts';

/** Counts that triggers keep for each account. */
export interface AccountFiguresTable {
  account_id: string;
  /** Its own lines, without those of accounts below. */
  line_count: Generated<number>;
  /** All accounts below it. */
  subtree_count: Generated<number>;
}

/** The one valid link of an account that sets a new password. */
interface PasswordResetLinksTable {
  account_id: string;
  token_hash: string;
  /** null if the account asked for it itself. */
  made_by: string | null;
  expires_at: Moment;
  created_at: Moment;
}

/** The secret of an account's authenticator app. */
interface TwoFactorTable {
  account_id: string;
  /** Encrypted. */
  secret: string;
  is_on: Generated<boolean>;
  /** Time step of the newest accepted code. */
  last_step: Generated<number>;
  created_at: Moment;
}

/** The recovery codes of an account that were not used yet. */
interface RecoveryCodesTable {
  account_id: string;
  code_hash: string;
}

/** A sign-in whose code is awaited. */
interface TwoFactorChallengesTable {
  token_hash: string;
  account_id: string;
  wrong_codes: Generated<number>;
  expires_at: Moment;
  created_at: Moment;
}

/** The one change of an account's address that waits to be confirmed. */
interface EmailChangesTable {
  account_id: string;
  id: string;
  new_email: string;
  /** The session that asked for it. */
  session_id: string | null;
  expires_at: Moment;
  created_at: Moment;
}

/** A key that scripts send in place of a session. */
export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  kind: Generated<ApiKeyKind>;
  /** The first characters of the key, by which its owner knows it. */
  start: string;
  key_hash: string;
  created_at: Moment;
  /** null if it does not expire. */
  expires_at: OptionalMoment;
  /** Written at most once a minute. */
  last_used_at: OptionalMoment;
}

export interface AccountTables {
  account_figures: AccountFiguresTable;
  password_reset_links: PasswordResetLinksTable;
  api_keys: ApiKeysTable;
  two_factor: TwoFactorTable;
  recovery_codes: RecoveryCodesTable;
  two_factor_challenges: TwoFactorChallengesTable;
  email_changes: EmailChangesTable;
}
