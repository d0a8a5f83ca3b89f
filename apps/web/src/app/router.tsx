import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import {
  type AnyRoute,
  type AnyValidator,
  createRootRoute,
  createRoute,
  createRouter,
  defaultStringifySearch,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { reachPanel } from '#platform/api/reach-panel.ts';
import { queryClient } from '#platform/data/query-client.ts';
import { knownAccount, useMe } from '#platform/data/session.ts';
import { loadTexts } from '#platform/i18n/i18n.ts';
import { isAdministration } from '#screens/access.ts';
import { linePanelSearch } from '#screens/line-screens.ts';
import type { Screen, ScreenTexts } from '#screens/screen.ts';
import { type AnyScreen, allScreens, type ScreenName, screens } from '#screens/screens.ts';
import { requireAccount, requireNoAccount } from './guard.ts';
import { loadFrame, pages } from './pages.ts';

function RouteFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <FailedCard flush error={error} onRetry={retry} />;
}

/** The message instead of the shell, for example if the panel cannot be reached at all. */
function ShellFailed(props: ErrorComponentProps) {
  return (
    <main className="grid place-content-center grid-cols-[minmax(0,560px)] min-h-[100vh] p-4">
      <h1 className="visually-hidden">Linekeeper</h1>
      <RouteFailed {...props} />
    </main>
  );
}

/** A placeholder for a title and a card, shown only if a screen's code takes longer than a second. */
function RoutePending() {
  const { t } = useTranslation();
  return (
    <div className="grid gap-6 phone:gap-4">
      <p className="visually-hidden" role="status">
        {t('loading')}
      </p>
      <span className="w-37.5 h-3 my-3.5 mx-0 rounded-[6px] bg-[#e9edf1]" />
      <Card flush className="min-h-[70vh]" />
    </div>
  );
}

function ShellPending() {
  return (
    <EmptyShell>
      <main className="pt-[calc(var(--header)_+_16px)] px-(--side) pb-10 phone:pt-[calc(var(--header-mobile)_+_8px)] phone:px-(--side) phone:pb-8">
        <RoutePending />
      </main>
    </EmptyShell>
  );
}

const RefusedPage = lazyRouteComponent(() => import('./refused-page.tsx'), 'RefusedPage');

type Guarded = Pick<Screen, 'access' | 'isAdministration' | 'isPublicBySetting'>;

/** The page for accounts with access, and the refusal for others. */
function guarded(screen: Guarded, Page: RouteComponent): RouteComponent {
  const { access, isPublicBySetting } = screen;
  if (access === 'public' || isPublicBySetting) return Page;
  const refusal: ErrorCode = isAdministration(screen) ? 'ADMIN_ONLY' : 'FORBIDDEN';
  function GuardedPage() {
    return can(useMe(), access) ? <Page /> : <RefusedPage refusal={refusal} />;
  }
  return Object.assign(GuardedPage, {
    preload: async () => {
      await (can(knownAccount(queryClient) ?? null, access) ? Page : RefusedPage).preload?.();
    },
  });
}

const isOutside = ({ access }: AnyScreen) => access === 'public';

const root = createRootRoute({ component: Outlet });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: linePanelSearch,
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
 * Imports a page after the panel has responded: browsers remember a failed import until the page is
 * reloaded, so Retry could never succeed.
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
  const indexes = allScreens.flatMap(({ index = [], partIndex = {}, path: to }) => [
    ...index.map((from) => ({ from, to, search: {} })),
    ...Object.entries(partIndex).map(([from, search]) => ({ from, to, search })),
  ]);
  const lost = { from: '$', to: screens.notFound.path, search: {} };
  return [...indexes, lost].map(({ from, to, search }) =>
    createRoute({
      getParentRoute: () => root,
      path: from,
      beforeLoad: ({ params }) => {
        throw redirect({ to, params, search, replace: true } as unknown as { to: '/404' });
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

/** The shell without its parts, while they are being loaded. */
function EmptyShell({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[var(--nav)_minmax(0,1fr)] tablet:grid-cols-1 min-h-[100vh] print:block">
      <div className="border-e border-e-divider bg-paper" />
      {children}
    </div>
  );
}
