import type { ApiKeyKind } from '@linekeeper/contract/auth/api-keys.ts';
import type { Generated } from 'kysely';
import type { Json, Moment, OptionalMoment } from './column-types.ts';

/** Counts that triggers keep for each account. */
export interface AccountFiguresTable {
  account_id: string;
  /** The account's own lines, without those of accounts below. */
  line_count: Generated<number>;
  /** All accounts below it. */
  subtree_count: Generated<number>;
}

/** A token of a link, or of a sign-in that waits for its second step. */
interface OneTimeTokensTable {
  token_hash: string;
  purpose: string;
  account_id: string;
  /** Facts that belong to a token of this purpose. */
  data: Json<unknown>;
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
  one_time_tokens: OneTimeTokensTable;
  api_keys: ApiKeysTable;
  two_factor: TwoFactorTable;
  recovery_codes: RecoveryCodesTable;
}
