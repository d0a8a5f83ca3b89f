import { listLines } from '@linekeeper/contract/lines.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import { checkServers, createServer, listServers } from '@linekeeper/contract/servers.ts';
import { listPushes } from '@linekeeper/contract/sync.ts';
import { testCall } from '@linekeeper/contract/test-call.ts';
import {
  Activity,
  CircleUserRound,
  LayoutDashboard,
  type LucideIcon,
  Plus,
  RefreshCw,
  Route,
  Server,
  SquareTerminal,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { useMe } from '../../shared/session.ts';

const places = [
  { key: 'dashboard', to: paths.home(), icon: LayoutDashboard, access: 'account' },
  { key: 'lines', to: paths.lines(), icon: Route, access: listLines.access },
  { key: 'addLine', to: paths.addLine(), icon: Plus, access: listLines.access },
  { key: 'servers', to: paths.servers(), icon: Server, access: listServers.access },
  { key: 'addServer', to: paths.addServer(), icon: Plus, access: createServer.access },
  {
    key: 'checkServers',
    to: paths.checkServers(),
    icon: Activity,
    access: checkServers.access,
  },
  { key: 'testApi', to: paths.testApi(), icon: SquareTerminal, access: testCall.access },
  { key: 'sync', to: paths.sync(), icon: RefreshCw, access: listPushes.access },
  { key: 'profile', to: paths.profile(), icon: CircleUserRound, access: 'account' },
] as const satisfies readonly { key: string; to: string; icon: LucideIcon; access: Access }[];

export interface Place {
  key: string;
  name: string;
  to: string;
  icon: LucideIcon;
}

/** The screens the account may open, by their names in the reader's language. */
export function usePlaces(): Place[] {
  const { t } = useTranslation('palette');
  const me = useMe();
  return places
    .filter(({ access }) => can(me, access))
    .map(({ key, to, icon }) => ({ key, to, icon, name: t(`pages.${key}`) }));
}

/** Typed without accents and capitals, "ubersicht" still finds "Übersicht". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function placesNamed(all: readonly Place[], query: string): readonly Place[] {
  return all.filter(({ name }) => plain(name).includes(plain(query)));
}
