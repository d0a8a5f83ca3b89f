import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountLanguage } from '../account-language.ts';
import { followLiveChanges } from '../live.ts';
import { AppTheme } from '../theme/app-theme.tsx';
import { buttonLook } from '../ui/button.tsx';
import { ConfirmHost } from '../ui/confirm.tsx';
import { ToastHost } from '../ui/toast-host.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import type { PaletteProps } from './palette-button.tsx';
import styles from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

/** For narrow windows, and there when it is first opened. */
const NavDrawer = lazy(async () => ({ default: (await import('./nav-drawer.tsx')).NavDrawer }));

interface ShellProps {
  /** Features are not known here: the app hands in what the header's search box opens. */
  palette: ComponentType<PaletteProps>;
  /** What lies over every page: the work that goes on in the background. */
  jobs: ComponentType;
}

/** The frame around every signed-in screen. */
export function Shell({ palette, jobs: Jobs }: ShellProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isDrawerWanted, setDrawerWanted] = useState(false);
  const openMenu = () => {
    setDrawerWanted(true);
    setDrawerOpen(true);
  };
  const main = useFocusOnNavigation();
  useEffect(() => followLiveChanges(queryClient), [queryClient]);

  useAccountLanguage();

  const skip = buttonLook({ variant: 'solid' });
  return (
    <AppTheme>
      <a {...skip} className={`${skip.className} ${styles.skip}`} href="#main">
        {t('skipToContent')}
      </a>
      <div className={styles.shell}>
        <div className={styles.side}>
          <div className={styles.sticky}>
            <Navigation />
          </div>
        </div>
        <div className={styles.column}>
          <OfflineBanner />
          <Header palette={palette} onOpenMenu={openMenu} />
          <main id="main" ref={main} tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
        </div>
      </div>
      {isDrawerWanted && (
        <Suspense>
          <NavDrawer open={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
        </Suspense>
      )}
      <Shortcuts />
      <Suspense>
        <Jobs />
      </Suspense>
      <ConfirmHost />
      <ToastHost />
    </AppTheme>
  );
}
