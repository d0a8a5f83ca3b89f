import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import styles from './print-sheet.module.css';

/**
 * Prints the page once the site's name is known, which is printed too. Returns the name and the legal notice, both
 * empty until then.
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

/** Opens the print dialog of the browser when it is mounted. */
export function Print({ onDone }: { onDone: () => void }) {
  usePrint(onDone);
  return null;
}

/**
 * A sheet that is printed instead of the page while it is mounted, also by the browser's own
 * command. It is not visible on the screen.
 */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div className={styles.sheet} data-print="sheet">
      {children}
    </div>,
    document.body,
  );
}

interface PrintedProps<Row> {
  rows: readonly Row[];
  onDone: () => void;
}

/** Prints rows on a sheet: `sheet` must be rendered, and is visible on paper only. */
export function usePrinted<Row>(Sheet: (props: PrintedProps<Row>) => ReactNode) {
  const [rows, print] = useState<readonly Row[]>([]);
  return { sheet: rows.length > 0 && <Sheet rows={rows} onDone={() => print([])} />, print };
}
