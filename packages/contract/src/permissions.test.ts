import { describe, expect, test } from 'vitest';
import { type Access, type Actor, can, fixedGroups, permissions } from './permissions.ts';

const admin: Actor = { is_admin: true, permissions: [] };
const reseller: Actor = { is_admin: false, permissions: ['view_users', 'add_credits'] };
const user: Actor = { is_admin: false, permissions: [] };
const everything: Actor = { is_admin: false, permissions };

describe('who may do what', () => {
  const cases: [access: Access, nobody: boolean, user: boolean, reseller: boolean][] = [
    ['public', true, true, true],
    ['account', false, true, true],
    ['admin', false, false, false],
    [['view_users'], false, false, true],
    [['manage_users'], false, false, false],
    [['manage_resellers', 'add_credits'], false, false, true],
    [[], false, false, false],
  ];
  test.each(cases)(
    'access %j: nobody %s, a user %s, a reseller %s',
    { tags: ['spec:6.8'] },
    (access, ...expected) => {
      expect([null, user, reseller].map((actor) => can(actor, access))).toEqual(expected);
    },
  );

  test('an administrator may do everything, whatever its permissions say', {
    tags: ['spec:6.6'],
  }, () => {
    for (const [access] of cases) expect(can(admin, access)).toBe(true);
  });

  test('all seven permissions together do not make an administrator', () => {
    expect(permissions).toHaveLength(7);
    expect(can(everything, 'admin')).toBe(false);
  });
});

test('the fixed groups hold exactly what the product promises', {
  tags: ['spec:1.1', 'spec:3.6', 'spec:3.7', 'spec:3.8'],
}, () => {
  expect(fixedGroups.map(({ id, name, permissions: held }) => [id, name, held])).toEqual([
    [
      '1',
      'Admin',
      [
        'manage_users',
        'manage_groups',
        'manage_resellers',
        'view_users',
        'view_groups',
        'view_resellers',
        'add_credits',
      ],
    ],
    ['2', 'Resellers', ['view_users', 'add_credits']],
    ['3', 'Users', []],
  ]);
});
