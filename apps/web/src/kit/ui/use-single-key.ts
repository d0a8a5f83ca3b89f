import { useEffect, useLayoutEffect, useRef } from 'react';
import { usePreferences } from '#platform/data/preferences.ts';

const TAKES_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"] *, [role="menu"] *, [role="listbox"] *';

/** Runs an action on an unmodified key, unless single keys are off or the user is typing. */
export function useSingleKey(key: string, action: () => void): void {
  const { shortcuts } = usePreferences();
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  // The listener is added before the page is visible, because a key may be pressed immediately.
  useLayoutEffect(() => {
    if (!shortcuts) return;
    const listen = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches(TAKES_KEYS);
      if (event.key !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key, shortcuts]);
}
