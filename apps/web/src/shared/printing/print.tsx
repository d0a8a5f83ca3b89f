import { usePrint } from './use-print.ts';

/** Prints once when it appears. */
export function Print({ onDone }: { onDone: () => void }) {
  usePrint(onDone);
  return null;
}
