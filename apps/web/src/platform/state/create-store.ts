import { useSyncExternalStore } from 'react';

interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** The value, in a component that is drawn again when it changes. */
  use(): Value;
}

/** A value outside of React that any part of the app can change, with a hook by which components show it. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
