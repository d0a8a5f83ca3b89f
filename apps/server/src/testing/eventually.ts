import { vi } from 'vitest';

/** Asks again until nothing is thrown: for what takes a moment, however busy the machine is. */
export function eventually<T>(ask: () => T | Promise<T>, timeout = 10_000): Promise<T> {
  return vi.waitFor(ask, { timeout, interval: 10 });
}
