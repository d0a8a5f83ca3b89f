import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Closes what the frame shows over a page once the page below changes, as by Back: what a page itself
 * has opened goes with it. A page that only replaces its address, as while one searches, stays.
 */
export function useCloseOnNavigation(isOpen: boolean, onClose: () => void): void {
  const { history } = useRouter();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    return history.subscribe(({ action }) => {
      if (action.type !== 'REPLACE') close();
    });
  }, [isOpen, history]);
}
