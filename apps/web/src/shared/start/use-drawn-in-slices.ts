import { useDeferredValue } from 'react';

/**
 * The value, undefined until it is there. Drawing much for the first time takes a phone long, so React
 * does it in slices between other work; later values replace the first at once.
 */
export function useDrawnInSlices<Value>(value: Value | undefined): Value | undefined {
  const isDrawn = useDeferredValue(value !== undefined);
  return isDrawn ? value : undefined;
}
