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

/** Milliseconds without input after which typing counts as paused. */
const TYPING_PAUSE_MS = 300;

/** A value once it has not changed for `delay` milliseconds; the default suits text that is being typed. */
export function useDebounced<Value>(value: Value, delay = TYPING_PAUSE_MS): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return rested;
}
