import {
  type AnyRoute,
  type AnyValidator,
  createRootRoute,
  createRoute,
  createRouter,
  defaultStringifySearch,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ScreenTexts } from '../screens/screen.ts';
import { type AnyScreen, allScreens, type ScreenName, screens } from '../screens/screens.ts';
import { reachPanel } from '../shared/api/reach-panel.ts';
import { loadTexts } from '../shared/i18n/i18n.ts';
import { requireAccount, requireNoAccount } from './guard.ts';
import { guarded } from './guarded.tsx';
import { loadFrame, pages } from './pages.ts';
import { RouteFailed, RoutePending, ShellFailed, ShellPending } from './route-states.tsx';

const isOutside = ({ access }: AnyScreen) => access === 'public';

const root = createRootRoute({ component: Outlet });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: requireAccount,
  errorComponent: ShellFailed,
  pendingComponent: ShellPending,
  component: lazyRouteComponent(async () => ({ default: await loadFrame() })),
});

/** Screens for visitors load the texts of the frame only if they name them. */
function textsOf(screen: AnyScreen): readonly ScreenTexts[] {
  return isOutside(screen) ? screen.texts : ['frame', ...screen.texts];
}

/**
 * Checks that the panel answers before importing a page: browsers remember a failed import until a
 * reload, so Retry could never succeed.
 */
function pageOf(screen: AnyScreen) {
  const page = lazyRouteComponent(async () => {
    await reachPanel();
    return { default: await pages[screen.path]() };
  });
  return guarded(screen, page);
}

function routeOf<Parent extends AnyRoute, Path extends string, Search extends AnyValidator>(
  parent: Parent,
  screen: AnyScreen & { path: Path; search?: Search },
) {
  return createRoute({
    getParentRoute: () => parent,
    path: screen.path,
    validateSearch: screen.search as Search,
    ...(screen.isForVisitors && { beforeLoad: requireNoAccount }),
    loader: () => Promise.all(textsOf(screen).map((name) => loadTexts(name))),
    component: pageOf(screen),
  });
}

type Screens = typeof screens;
type SearchOf<S> = S extends { search: infer Search extends AnyValidator } ? Search : undefined;
type Routes<Parent extends AnyRoute, Name extends ScreenName> = {
  [N in Name]: ReturnType<typeof routeOf<Parent, Screens[N]['path'], SearchOf<Screens[N]>>>;
};
type Outside = { [N in ScreenName]: Screens[N]['access'] extends 'public' ? N : never }[ScreenName];

/** The only type cast: it gives each route the types of its screen in the register. */
function routesOf<Parent extends AnyRoute, Name extends ScreenName>(
  parent: Parent,
  isMeant: (screen: AnyScreen) => boolean,
): Routes<Parent, Name> {
  const named = Object.entries(screens) as [ScreenName, AnyScreen][];
  const meant = named.filter(([, screen]) => isMeant(screen));
  return Object.fromEntries(
    meant.map(([name, screen]) => [name, routeOf(parent, screen)]),
  ) as unknown as Routes<Parent, Name>;
}

/**
 * Routes that only redirect. They are missing from the router's types because no link may use them.
 */
function redirections(): object {
  const indexes = allScreens.flatMap(({ index = [], path }) =>
    index.map((from) => ({ from, to: path })),
  );
  return [...indexes, { from: '$', to: screens.notFound.path }].map(({ from, to }) =>
    createRoute({
      getParentRoute: () => root,
      path: from,
      beforeLoad: () => {
        throw redirect({ to, replace: true } as { to: '/404' });
      },
    }),
  );
}

const outside = routesOf<typeof root, Outside>(root, isOutside);
const inside = routesOf<typeof shell, Exclude<ScreenName, Outside>>(
  shell,
  (screen) => !isOutside(screen),
);

const routeTree = root.addChildren({
  ...outside,
  ...redirections(),
  shell: shell.addChildren(inside),
});

export const router = createRouter({
  routeTree,
  scrollRestoration: true,
  // Keeps commas between filter values readable; a comma has no other meaning in an address.
  stringifySearch: (search) => defaultStringifySearch(search).replaceAll('%2C', ','),
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
