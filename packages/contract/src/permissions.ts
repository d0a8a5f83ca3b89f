export const permissions = [
  'manage_users',
  'manage_groups',
  'manage_resellers',
  'view_users',
  'view_groups',
  'view_resellers',
  'add_credits',
] as const;

export type Permission = (typeof permissions)[number];

export const ADMIN_GROUP = '1';
export const RESELLER_GROUP = '2';
export const USER_GROUP = '3';

/** The three groups that every panel has; they cannot be deleted. */
export const fixedGroups = [
  {
    id: ADMIN_GROUP,
    name: 'Admin',
    description: 'Runs the whole panel',
    permissions: [...permissions],
  },
  {
    id: RESELLER_GROUP,
    name: 'Resellers',
    description: 'Sell lines with their own credits',
    permissions: ['view_users', 'add_credits'],
  },
  {
    id: USER_GROUP,
    name: 'Users',
    description: 'Have an account, sell nothing',
    permissions: [],
  },
] as const satisfies readonly {
  id: string;
  name: string;
  description: string;
  permissions: readonly Permission[];
}[];

/** The acting account, as the server's access checks and the browser's menus need it. */
export interface Actor {
  is_admin: boolean;
  permissions: readonly Permission[];
}

/**
 * `public`: anyone. `account`: anyone signed in. `admin`: administrators. A list: one of these
 * permissions suffices.
 */
export type Access = 'public' | 'account' | 'admin' | readonly Permission[];

export function can(actor: Actor | null, access: Access): boolean {
  if (access === 'public') return true;
  if (!actor) return false;
  if (access === 'account' || actor.is_admin) return true;
  if (access === 'admin') return false;
  return access.some((permission) => actor.permissions.includes(permission));
}
