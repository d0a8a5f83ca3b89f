import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import {
  type ComponentType,
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useIsBesideNavigation } from '../browser/use-is-phone.ts';
import { useAccountLanguage } from '../data/account-language.ts';
import { followLiveChanges } from '../data/live.ts';
import { useFollowToday } from '../data/settings.ts';
import { InTurn, useFirstScreenOnce, useIsTimeFor } from '../start/later.tsx';
import { lazyComponent } from '../start/lazy-component.tsx';
import { ConfirmHost } from '../ui/dialogs/confirm.tsx';
import { ToastHost } from '../ui/toasts/toast-host.tsx';
import { Caption } from '../ui/vocabulary.tsx';
import { Header } from './header.tsx';
import { HeldBackBanner } from './held-back-banner.tsx';
import { LegalNotice } from './legal-notice.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { OutageStrip } from './outage-strip.tsx';
import type { PaletteProps } from './palette-button.tsx';
import styles from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { SkipLink } from './skip-link.tsx';
import { useFocusInSight } from './use-focus-in-sight.ts';

/** Loaded on first use, since only narrow windows have a drawer. */
const NavDrawer = lazyComponent(async () => (await import('./nav-drawer.tsx')).NavDrawer, {
  isOpen: ({ open }) => open,
});

/** Version of this build. */
const VERSION: string = import.meta.env.VITE_VERSION;

interface ShellProps {
  /** The palette, passed in because `shared` may not import features. */
  palette: ComponentType<PaletteProps>;
  /** Job cards, shown over every page. */
  jobs: ComponentType;
}

/** The frame around every screen that needs a session. */
export function Shell({ palette, jobs: Jobs }: ShellProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [hasShortcuts, showShortcuts] = useState(false);
  const search: Dispatch<SetStateAction<boolean>> = useCallback((next) => {
    // It would stand below the palette, and answer keys before it.
    setDrawerOpen(false);
    setSearching(next);
  }, []);
  // Narrow windows have it in the drawer, and shall neither draw nor count what nobody sees.
  const hasSide = useIsBesideNavigation();
  // Also when the window is made narrow again.
  useEffect(() => {
    if (hasSide) setDrawerOpen(false);
  }, [hasSide]);
  const main = useFocusOnNavigation();
  const banners = useRef<HTMLDivElement>(null);
  useFocusInSight(banners);
  useFirstScreenOnce();
  const hasFoot = useIsTimeFor('foot');
  useEffect(() => followLiveChanges(queryClient), [queryClient]);

  useAccountLanguage();
  useFollowToday();

  return (
    <>
      <SkipLink />
      <div className={styles.shell}>
        {hasSide && (
          <div className={styles.side}>
            <div className={styles.sticky}>
              <Navigation />
            </div>
          </div>
        )}
        <div className={styles.column}>
          <div ref={banners}>
            <OfflineBanner />
            <HeldBackBanner />
            <InTurn>
              <OutageStrip />
            </InTurn>
          </div>
          <Header
            search={{
              palette,
              open: isSearching,
              setOpen: search,
              onShowShortcuts: () => showShortcuts(true),
            }}
            onOpenMenu={() => setDrawerOpen(true)}
          />
          <main id="main" ref={main} tabIndex={-1} className={styles.main}>
            <InTurn>
              <Outlet />
            </InTurn>
          </main>
          {hasFoot && (
            <footer className={styles.foot}>
              <LegalNotice />
              <Caption as="p">{t('version', { version: VERSION })}</Caption>
            </footer>
          )}
        </div>
      </div>
      <NavDrawer
        open={isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        onSearch={() => search(true)}
      />
      <Shortcuts isOpen={hasShortcuts} onOpen={showShortcuts} />
      <InTurn>
        <Jobs />
        <ConfirmHost />
        <ToastHost />
      </InTurn>
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
