import { useEffect, useState } from 'react';

/** True once `active` has lasted `delay` ms, so that quick loading shows no indicator. */
export function useDelayed(active: boolean, delay = 1000): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), delay);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [active, delay]);
  return active && passed;
}
