import type { KeyboardEvent } from 'react';

/** Scrolls a multi-line box into view after Tab has reached it, because browsers show only the line with the caret. */
export function showWhole({ key, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
  if (key === 'Tab') currentTarget.scrollIntoView({ block: 'nearest' });
}
