import { createLine } from '@linekeeper/contract/lines/lines.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useWatchedJobs } from '#domain/jobs/watched-jobs.ts';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { useJobAddress } from '#features/jobs/use-job-address.ts';
import { ConfirmHost } from '#kit/overlays/dialogs/confirm.tsx';
import { Foot } from '#kit/page/foot-bar.tsx';
import { LegalNotice } from '#kit/page/legal-notice.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { useIsBesideNavigation } from '#platform/browser/use-is-phone.ts';
import { useAccountLanguage } from '#platform/data/account-language.ts';
import { followLiveChanges } from '#platform/data/live.ts';
import { useCan } from '#platform/data/session.ts';
import { useFollowToday } from '#platform/data/settings.ts';
import { prefetchOnceUsed, useIsTimeFor } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { HeldBackBanner, OfflineBanner } from './banners.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { SkipLink } from './skip-link.tsx';

/** The drawer is loaded on first use, because only narrow windows have one. */
const NavDrawer = lazyPart(() => import('./nav-drawer.tsx'), 'NavDrawer');

/** Version of this build. */
const VERSION: string = import.meta.env.VITE_VERSION;

export function Shell() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [hasShortcuts, showShortcuts] = useState(false);
  const search: Dispatch<SetStateAction<boolean>> = useCallback((next) => {
    // An open drawer would stay below the palette, and take its keys.
    setDrawerOpen(false);
    setSearching(next);
  }, []);
  // Narrow windows have the navigation in the drawer, so it is neither drawn nor counted beside the page.
  const hasSide = useIsBesideNavigation();
  // The drawer must not be open when the window is made narrow again.
  useEffect(() => {
    if (hasSide) setDrawerOpen(false);
  }, [hasSide]);
  const main = useFocusOnNavigation();
  const banners = useRef<HTMLDivElement>(null);
  useFocusInSight(banners);
  const hasFoot = useIsTimeFor('foot');
  useEffect(() => followLiveChanges(queryClient), [queryClient]);
  useEffect(followKeyboard, []);

  useAccountLanguage();
  useFollowToday();

  return (
    <>
      <SkipLink />
      <div className="grid grid-cols-[var(--nav)_minmax(0,1fr)] tablet:grid-cols-1 min-h-[100vh] print:block">
        {hasSide && (
          <div className="border-e border-e-divider bg-paper" data-print="none">
            <div className="sticky top-0 max-h-[100vh] overflow-y-auto">
              <Navigation />
            </div>
          </div>
        )}
        <div className="flex flex-col min-w-0">
          <div ref={banners}>
            <OfflineBanner />
            <HeldBackBanner />
            <OutageStrip />
          </div>
          <Header
            search={{
              open: isSearching,
              setOpen: search,
              onShowShortcuts: () => showShortcuts(true),
            }}
            onOpenMenu={() => setDrawerOpen(true)}
          />
          <div className="flex flex-1 min-w-0 print:block">
            <main
              id="main"
              ref={main}
              tabIndex={-1}
              className="[--covered-top:var(--header)] flex-1 min-w-0 pt-4 px-(--side) pb-10 [outline:0] phone:[--covered-top:var(--header-mobile)] phone:pt-2 phone:px-(--side) phone:pb-8 low:[--covered-top:0px] print:p-0 desktop:[:has(>[data-beside])>&]:pe-6"
            >
              <Outlet />
            </main>
            <LineBeside />
          </div>
          {hasFoot && (
            <footer className="px-(--side) *:mb-6" data-print="none">
              <LegalNotice />
              <p className="text-text-2 type-caption">{t('version', { version: VERSION })}</p>
            </footer>
          )}
          <Foot>
            <BottomBar onSearch={() => search(true)} onOpenMenu={() => setDrawerOpen(true)} />
          </Foot>
        </div>
      </div>
      <NavDrawer open={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
      <Shortcuts isOpen={hasShortcuts} onOpen={showShortcuts} />
      <Jobs />
      <ConfirmHost />
    </>
  );
}

/** Focuses the content of a new screen, so that screen readers and Tab start there. */
function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const router = useRouter();
  const content = useRef<HTMLElement>(null);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // An autofocused field keeps the focus.
        const focused = document.activeElement;
        const isPlaced = content.current?.contains(focused) && focused !== content.current;
        if (fromLocation && pathChanged && !isPlaced)
          content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return content;
}

/** Scrolls the focused element back into view if strips that appear or grow above the page have moved it out. */
function useFocusInSight(above: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = above.current;
    if (!element) return;
    let height = element.offsetHeight;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--banners', `${element.offsetHeight}px`);
      const moved = element.offsetHeight - height;
      height += moved;
      const focused = document.querySelector('main :focus-visible');
      if (!focused) return;
      const { top, bottom } = focused.getBoundingClientRect();
      const wasInSight = bottom - moved > 0 && top - moved < window.innerHeight;
      if (wasInSight) focused.scrollIntoView({ block: 'nearest' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [above]);
}

const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');

interface ShortcutsProps {
  /** True while the list of shortcuts is shown. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** The single-key shortcuts that work on every screen, and the dialog that lists them. */
function Shortcuts({ isOpen, onOpen }: ShortcutsProps) {
  const navigate = useNavigate();
  const canSell = useCan(createLine.access);
  useSingleKey('n', () => {
    if (canSell) void navigate({ to: '/users/add' });
  });
  useSingleKey('?', () => onOpen(true));
  useEffect(() => prefetchOnceUsed([ShortcutsDialog.fetch]), []);
  if (!isOpen) return null;
  return <ShortcutsDialog canSell={canSell} onClose={() => onOpen(false)} />;
}

const OutageStrips = lazyPart(() => import('./outage-strip.tsx'), 'OutageStrips', {
  isPart: true,
});

/** The strip about servers that do not respond. Its code is not loaded while all servers respond. */
function OutageStrip() {
  return useCan(['view_users']) ? <Strips /> : null;
}

function Strips() {
  const { data } = useQuery(outagesQuery());
  if (!data || data.items.length + data.over.length === 0) return null;
  return <OutageStrips outages={data} />;
}

/** Pixels of the window that a keyboard covers, at least; a bar of the browser covers less. */
const LEAST_KEYBOARD = 120;

/**
 * Lets stylesheets know about a keyboard over the page: `--keyboard` is the height that it covers at the window's foot,
 * and `data-keyboard` is set while it is shown. Browsers only report the part of the page that is still visible.
 */
function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const { documentElement: root } = document;
  const measure = () => {
    // A zoomed page shows less of itself, too.
    const missing = view.scale > 1 ? 0 : root.clientHeight - view.height;
    const isShown = missing > LEAST_KEYBOARD;
    root.toggleAttribute('data-keyboard', isShown);
    if (isShown) root.style.setProperty('--keyboard', `${Math.max(missing - view.offsetTop, 0)}px`);
    else root.style.removeProperty('--keyboard');
  };
  measure();
  view.addEventListener('resize', measure);
  view.addEventListener('scroll', measure);
  return () => {
    view.removeEventListener('resize', measure);
    view.removeEventListener('scroll', measure);
  };
}

const JobHost = lazyPart(() => import('#features/jobs/job-host.tsx'), 'JobHost', {
  isPart: true,
});

const LinePanel = lazyPart(() => import('#features/lines/line/line-panel.tsx'), 'LinePanel', {
  texts: 'line',
});

/** The panel beside the page with the line that the address names. */
function LineBeside() {
  const { openId } = useLinePlace();
  useEffect(() => prefetchOnceUsed([LinePanel.fetch]), []);
  return openId && <LinePanel />;
}

/**
 * The host of dialogs about jobs. It is loaded after the screen itself, or immediately if a job is
 * watched or named by the address.
 */
function Jobs() {
  const { openId } = useJobAddress();
  const isWatched = useWatchedJobs().length > 0;
  const isTime = useIsTimeFor('jobs');
  const [isShown, setShown] = useState(false);
  const isWanted = isTime || isWatched || openId !== undefined;
  if (isWanted && !isShown) setShown(true);
  return isShown && <JobHost />;
}
