import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Closes an overlay of the frame when the page below changes, as after Back. A page that only replaces its address,
 * as during a search, keeps it open.
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
