import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import styles from './print-sheet.module.css';

/**
 * Prints the page once the name of the site is known, which stands on what is printed. Returns the
 * site's name and legal notice, empty until then.
 */
export function usePrint(onDone: () => void) {
  const { data: settings } = useQuery(publicSettingsQuery());
  const isReady = settings !== undefined;
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!isReady) return;
    const listen = () => done();
    window.addEventListener('afterprint', listen);
    window.print();
    return () => window.removeEventListener('afterprint', listen);
  }, [isReady]);
  return { siteName: settings?.site_name ?? '', legalNotice: settings?.legal_notice ?? '' };
}

/** Prints once when it appears. */
export function Print({ onDone }: { onDone: () => void }) {
  usePrint(onDone);
  return null;
}

/**
 * While it is there, it alone is printed, also by the browser's own command. On the screen nothing of it
 * is seen.
 */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div className={styles.sheet} data-print="sheet">
      {children}
    </div>,
    document.body,
  );
}
