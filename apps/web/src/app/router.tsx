import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import * as z from 'zod';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { loadTexts } from '../shared/i18n/i18n.ts';
import { linesSearch } from '../shared/lines-search.ts';
import { paths } from '../shared/paths.ts';
import { syncSearch } from '../shared/sync-search.ts';
import { requireAccount, requireNoAccount } from './guard.ts';
import { RouteFailed, RoutePending, ShellFailed } from './route-states.tsx';

const root = createRootRoute({ component: Outlet });

// Outside the shell, for everybody.

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: z.object({
    /** Where to go afterwards. */
    to: z.string().max(2000).optional().catch(undefined),
    notice: z.literal('created').optional().catch(undefined),
  }),
  beforeLoad: requireNoAccount,
  component: SignInPage,
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../features/auth/sign-up-page.tsx'), 'SignUpPage'),
});

const callback = createRoute({
  getParentRoute: () => root,
  path: '/callback',
  validateSearch: z.object({
    token: z.coerce.string().max(2000).optional().catch(undefined),
    error: z.coerce.string().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../features/auth/callback-page.tsx'), 'CallbackPage'),
});

const notFound = createRoute({
  getParentRoute: () => root,
  path: '/404',
  component: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage'),
});

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: paths.notFound(), replace: true });
  },
});

// Inside the shell, behind the guard.

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: requireAccount,
  errorComponent: ShellFailed,
  component: lazyRouteComponent(() => import('./signed-in.tsx'), 'SignedIn'),
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  loader: () => loadTexts('home'),
  component: lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile/edit',
  loader: () => loadTexts('profile'),
  component: lazyRouteComponent(
    () => import('../features/profile/profile-page.tsx'),
    'ProfilePage',
  ),
});

const sellers = createRoute({
  getParentRoute: () => shell,
  id: 'sellers',
  loader: () => loadTexts('lines'),
  component: lazyRouteComponent(() => import('./guarded.tsx'), 'SellerPages'),
});

const linesIndex = createRoute({
  getParentRoute: () => sellers,
  path: '/users',
  beforeLoad: () => {
    throw redirect({ to: paths.lines(), replace: true });
  },
});

const lines = createRoute({
  getParentRoute: () => sellers,
  path: '/users/all',
  validateSearch: linesSearch,
  component: lazyRouteComponent(() => import('../features/lines/lines-page.tsx'), 'LinesPage'),
});

const addLine = createRoute({
  getParentRoute: () => sellers,
  path: '/users/add',
  component: lazyRouteComponent(() => import('../features/lines/add-line-page.tsx'), 'AddLinePage'),
});

const editLine = createRoute({
  getParentRoute: () => sellers,
  path: '/users/edit/$id',
  component: lazyRouteComponent(
    () => import('../features/lines/edit-line-page.tsx'),
    'EditLinePage',
  ),
});

const importLines = createRoute({
  getParentRoute: () => sellers,
  path: '/users/import',
  loader: () => loadTexts('bulk'),
  component: lazyRouteComponent(
    () => import('../features/lines/import/import-page.tsx'),
    'ImportPage',
  ),
});

const admin = createRoute({
  getParentRoute: () => shell,
  id: 'admin',
  loader: () => loadTexts('servers'),
  component: lazyRouteComponent(() => import('./guarded.tsx'), 'AdminPages'),
});

const serversIndex = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers',
  beforeLoad: () => {
    throw redirect({ to: paths.servers(), replace: true });
  },
});

const servers = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/manage',
  component: lazyRouteComponent(
    () => import('../features/servers/servers-page.tsx'),
    'ServersPage',
  ),
});

const addServer = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/add',
  component: lazyRouteComponent(
    () => import('../features/servers/add-server-page.tsx'),
    'AddServerPage',
  ),
});

const checkServers = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/check',
  component: lazyRouteComponent(
    () => import('../features/servers/check-servers-page.tsx'),
    'CheckServersPage',
  ),
});

const testApi = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/test-api',
  component: lazyRouteComponent(
    () => import('../features/servers/test-api-page.tsx'),
    'TestApiPage',
  ),
});

const sync = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/sync',
  validateSearch: syncSearch,
  loader: () => loadTexts('sync'),
  component: lazyRouteComponent(() => import('../features/sync/sync-page.tsx'), 'SyncPage'),
});

const editServer = createRoute({
  getParentRoute: () => admin,
  path: '/cccam-servers/edit/$id',
  component: lazyRouteComponent(
    () => import('../features/servers/edit-server-page.tsx'),
    'EditServerPage',
  ),
});

const routeTree = root.addChildren([
  signIn,
  signUp,
  callback,
  notFound,
  unknown,
  shell.addChildren([
    home,
    profile,
    sellers.addChildren([linesIndex, lines, addLine, editLine, importLines]),
    admin.addChildren([serversIndex, servers, addServer, checkServers, testApi, sync, editServer]),
  ]),
]);

export const router = createRouter({
  routeTree,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 1000,
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
