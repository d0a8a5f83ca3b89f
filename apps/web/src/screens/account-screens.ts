import { accountsList, groupsList } from '@linekeeper/contract/lists/lists.ts';
import { accountSearch } from './account-search.ts';
import { addressOf } from './address.ts';
import type { Screen } from './screen.ts';

const accountViewer = ['add_credits', 'manage_resellers', 'view_resellers'] as const;
/** Access of accounts that may create accounts below their own. */
export const accountKeeper = ['add_credits', 'manage_resellers'] as const;
const groupViewer = ['view_groups', 'manage_groups'] as const;

export const accountScreens = {
  resellers: {
    path: '/resellers',
    access: 'admin',
    title: 'nav.manageResellers',
    menuText: 'nav.manageResellers',
    placeText: 'nav.manageResellers',
    texts: ['accounts', 'groups'],
    search: addressOf(accountsList),
  },
  addAccount: {
    path: '/resellers/add',
    access: 'admin',
    title: 'nav.addAccount',
    placeText: 'nav.addAccount',
    texts: ['accounts', 'groups'],
    parent: 'resellers',
  },
  myAccounts: {
    path: '/accounts',
    access: accountViewer,
    isHiddenFromAdmins: true,
    title: 'nav.myAccounts',
    menuText: 'nav.myAccounts',
    forAll: { access: ['view_resellers', 'manage_resellers'], menuText: 'nav.allAccounts' },
    placeText: 'nav.myAccounts',
    texts: ['accounts'],
    highlights: ['resellers'],
    search: addressOf(accountsList),
  },
  addOwnAccount: {
    path: '/accounts/add',
    access: accountKeeper,
    isHiddenFromAdmins: true,
    title: 'nav.addAccount',
    placeText: 'nav.addAccount',
    texts: ['accounts'],
    parent: 'myAccounts',
  },
  account: {
    path: '/accounts/$id',
    access: accountViewer,
    title: 'field.account',
    texts: ['accounts', 'account', 'activity'],
    highlights: ['resellers', 'myAccounts'],
    search: accountSearch,
  },
  groups: {
    path: '/manage-groups',
    index: ['/groups', '/groups/manage'],
    access: groupViewer,
    isAdministration: true,
    title: 'nav.manageGroups',
    menuText: 'nav.manageGroups',
    placeText: 'nav.manageGroups',
    texts: ['groups'],
    search: addressOf(groupsList),
  },
  addGroup: {
    path: '/manage-groups/add',
    access: ['manage_groups'],
    isAdministration: true,
    title: 'nav.addGroup',
    placeText: 'nav.addGroup',
    texts: ['groups'],
    parent: 'groups',
  },
  editGroup: {
    path: '/manage-groups/$id',
    access: groupViewer,
    isAdministration: true,
    title: 'groups:editGroup',
    texts: ['groups'],
    parent: 'groups',
  },
} as const satisfies Record<string, Screen>;
