import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { publicSettingsQuery } from './settings.ts';

const DEFAULT_NAME = 'Linekeeper';
const storageKey = `linekeeper:${location.host}:site-name`;

function rememberedName(): string {
  try {
    return localStorage.getItem(storageKey) ?? DEFAULT_NAME;
  } catch {
    return DEFAULT_NAME;
  }
}

/** The name that the administrators gave the panel; until it is loaded, that of the last visit. */
export function useSiteName(): string {
  const { data } = useQuery(publicSettingsQuery());
  const name = data?.site_name;
  useEffect(() => {
    try {
      if (name) localStorage.setItem(storageKey, name);
    } catch {
      // Storage may be full or blocked; the panel works without it.
    }
  }, [name]);
  return name ?? rememberedName();
}
