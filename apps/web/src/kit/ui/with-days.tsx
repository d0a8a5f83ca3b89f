import { Fragment } from 'react';

const DAYS = /(\d{2}-\d{2}-\d{4})/;

/** A sentence whose dates do not break at their hyphens. */
export function WithDays({ children }: { children: string }) {
  return children.split(DAYS).map((part, index) =>
    DAYS.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no ids, and never move
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no ids, and never move
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
