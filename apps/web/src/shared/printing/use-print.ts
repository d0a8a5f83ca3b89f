import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { publicSettingsQuery } from '../data/settings.ts';

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
