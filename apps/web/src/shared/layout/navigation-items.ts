import { type Access, type Actor, can } from '@linekeeper/contract/permissions.ts';
import { LayoutDashboard, type LucideIcon, Route, Server } from 'lucide-react';
import { paths } from '../paths.ts';

type NavText =
  | 'addLine'
  | 'addServer'
  | 'allLines'
  | 'checkServers'
  | 'dashboard'
  | 'lines'
  | 'manageServers'
  | 'servers'
  | 'sync'
  | 'testApi';

export interface NavLink {
  text: NavText;
  path: string;
}

export interface NavItem {
  text: NavText;
  icon: LucideIcon;
  access: Access;
  /** Where a plain entry leads; a group has `children` instead. */
  path?: string;
  children?: readonly NavLink[];
}

/** An entry appears with its page. */
export const navItems: readonly NavItem[] = [
  { text: 'dashboard', icon: LayoutDashboard, access: 'account', path: paths.home() },
  {
    text: 'lines',
    icon: Route,
    access: ['view_users'],
    children: [
      { text: 'allLines', path: paths.lines() },
      { text: 'addLine', path: paths.addLine() },
    ],
  },
];

/** Under the heading Administration. */
export const adminNavItems: readonly NavItem[] = [
  {
    text: 'servers',
    icon: Server,
    access: 'admin',
    children: [
      { text: 'manageServers', path: paths.servers() },
      { text: 'addServer', path: paths.addServer() },
      { text: 'checkServers', path: paths.checkServers() },
      { text: 'testApi', path: paths.testApi() },
      { text: 'sync', path: paths.sync() },
    ],
  },
];

export function visibleItems(items: readonly NavItem[], actor: Actor): NavItem[] {
  return items.filter(({ access }) => can(actor, access));
}
