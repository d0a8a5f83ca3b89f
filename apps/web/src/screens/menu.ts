import { LifeBuoy, type LucideIcon, Route, Server, Wallet } from 'lucide-react';
import type { MenuText } from './screen.ts';
import type { ScreenName } from './screens.ts';

export interface MenuGroup {
  text: MenuText;
  icon: LucideIcon;
  /** True to list it below the heading "Administration". */
  isAdministration?: true;
  screens: readonly ScreenName[];
}

/**
 * The entries of the side navigation: single screens, and groups of screens that open under one name. Those for
 * administrators have the heading Administration.
 */
export const menu: readonly (ScreenName | MenuGroup)[] = [
  'home',
  'numbers',
  { text: 'nav.lines', icon: Route, screens: ['lines', 'addLine'] },
  'messages',
  'credits',
  {
    text: 'nav.payments',
    icon: Wallet,
    screens: ['pricing', 'topUps', 'prices', 'activationCodes'],
  },
  { text: 'nav.support', icon: LifeBuoy, screens: ['tickets', 'knowledgeBase', 'contactUs'] },
  'redeemCode',
  'myAccounts',
  'resellers',
  'groups',
  'redeemCodes',
  'contactInbox',
  {
    text: 'nav.servers',
    icon: Server,
    isAdministration: true,
    screens: ['servers', 'addServer'],
  },
  'createMessage',
  'audit',
];
