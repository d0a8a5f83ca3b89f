import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keptInBrowser } from '#platform/browser/storage.ts';
import { publicSettingsQuery } from './settings.ts';

const DEFAULT_NAME = 'Linekeeper';
const storageKey = `linekeeper:${location.host}:site-name`;

/** The name of the panel, which administrators set. Until it is loaded, it is the name from the last visit. */
export function useSiteName(): string {
  const { data } = useQuery(publicSettingsQuery());
  const name = data?.site_name;
  useEffect(() => {
    if (name) keptInBrowser.write(storageKey, name);
  }, [name]);
  return name ?? keptInBrowser.read(storageKey) ?? DEFAULT_NAME;
}
