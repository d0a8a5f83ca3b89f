import { Fragment } from 'react';

const MARK = /<b>(.*?)<\/b>/;

/** A sentence of the texts, in which <b> marks what stands out. */
export function BoldText({ children }: { children: string }) {
  // Split by a group, every second part is what the mark holds.
  return children.split(MARK).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name
    index % 2 === 1 ? <b key={index}>{part}</b> : <Fragment key={index}>{part}</Fragment>,
  );
}
