import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { listGroups } from '@linekeeper/contract/accounts/groups.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { can, type Permission, permissions } from '@linekeeper/contract/permissions.ts';
import { expect, test } from 'vitest';
import { visibleItems } from '#app/shell/navigation-items.ts';
import { type ScreenName, screens } from './screens.ts';

const lists = { lines: listLines, myAccounts: listAccounts, groups: listGroups };

/** manage_users adds the lines of all accounts to view_users. Alone it opens no list. */
const opened: Record<Permission, keyof typeof lists> = {
  view_users: 'lines',
  manage_users: 'lines',
  view_groups: 'groups',
  manage_groups: 'groups',
  view_resellers: 'myAccounts',
  manage_resellers: 'myAccounts',
  add_credits: 'myAccounts',
};

test.each(permissions)('%s opens its list: in the navigation, by address and in the API', (one) => {
  const held: Permission[] = one === 'manage_users' ? ['view_users', one] : [one];
  const actor = { is_admin: false, permissions: held };
  const name: ScreenName = opened[one];
  const { path, access } = screens[name];
  const paths = visibleItems(actor).flatMap((item) =>
    'links' in item ? item.links.map((link) => link.path) : item.path,
  );
  expect(paths).toContain(path);
  expect(can(actor, access)).toBe(true);
  expect(can(actor, lists[name].access)).toBe(true);
});

test('who sees all accounts does not find them under "My accounts"', () => {
  const textsOf = (held: Permission[]) =>
    visibleItems({ is_admin: false, permissions: held }).map(({ text }) => text);
  expect(textsOf(['view_resellers'])).toContain('nav.allAccounts');
  expect(textsOf(['add_credits'])).toContain('nav.myAccounts');
});
