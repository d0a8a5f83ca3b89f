import type { KeyboardEvent } from 'react';

/** A browser shows of a box for many lines that Tab has reached only the line with the caret. */
export function showWhole({ key, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
  if (key === 'Tab') currentTarget.scrollIntoView({ block: 'nearest' });
}
