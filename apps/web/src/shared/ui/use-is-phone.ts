import { useSyncExternalStore } from 'react';

const phone = window.matchMedia('(max-width: 599.98px)');

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}

/** Narrower than 600 px: cards instead of tables, sheets instead of popovers. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches);
}
