import type { Generated } from 'kysely';
import type { Moment, OptionalMoment } from './column-types.ts';

/** Counts that triggers keep for each account. */
export interface AccountFiguresTable {
  account_id: string;
  /** Its own lines, without those of accounts below. */
  line_count: Generated<number>;
  /** All accounts below it. */
  subtree_count: Generated<number>;
}

/** The one valid link of an account that sets a new password. */
export interface PasswordResetLinksTable {
  account_id: string;
  token_hash: string;
  /** null if the account asked for it itself. */
  made_by: string | null;
  expires_at: Moment;
  created_at: Moment;
}

/** A key that scripts send in place of a session. */
export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first characters of the key, by which its owner knows it. */
  start: string;
  key_hash: string;
  created_at: Moment;
  /** null if it does not expire. */
  expires_at: OptionalMoment;
  /** Written at most once a minute. */
  last_used_at: OptionalMoment;
}
