import type { ApiKeyKind } from '@linekeeper/contract/auth/api-keys.ts';
import type { ApiKeyScope } from '@linekeeper/contract/auth/scopes.ts';
import type { Permission } from '@linekeeper/contract/permissions.ts';
import type { SignedIn } from './access.ts';

/** The fields of an account that do not affect its permissions. */
export interface Profile {
  username: string;
  full_name: string;
  credits: number;
}

/** The account that makes a request, identified by a session or by an API key. */
export interface Caller {
  /** Id of the session or the key; live streams end when it does. */
  id: string;
  /** null for a session. */
  key_kind: ApiKeyKind | null;
  /** The scopes of the API key; null for a session, and for a key that may do all that its owner may. */
  key_scopes: ApiKeyScope[] | null;
  /** Time when the session or key ends; null for a key that does not expire. */
  expires_at: Date | null;
  actor: SignedIn;
  profile: Profile;
  /** True if the session was just extended, so its cookie must be sent again. */
  was_prolonged: boolean;
}

/** Columns of the account and its group, read in the same statement as the session or key. */
export const callerColumns = [
  'account.id',
  'account.email',
  'account.group_id',
  'account.is_admin',
  'account.username',
  'account.full_name',
  'account.credits',
  'groups.permissions',
] as const;

type CallerRow = Profile & Omit<SignedIn, 'permissions'> & { permissions: string[] };

/** The account with the permissions that it has at this moment. */
export function callerOf(row: CallerRow): Pick<Caller, 'actor' | 'profile'> {
  return {
    actor: {
      id: row.id,
      email: row.email,
      group_id: row.group_id,
      is_admin: row.is_admin,
      permissions: row.permissions as Permission[],
    },
    profile: { username: row.username, full_name: row.full_name, credits: row.credits },
  };
}
