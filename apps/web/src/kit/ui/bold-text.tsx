import { Fragment } from 'react';
import { WithDays } from './with-days.tsx';

const MARK = /<b>(.*?)<\/b>/;

/** A translated sentence in which `<b>` marks the important words. Dates in it do not break across lines. */
export function BoldText({ children }: { children: string }) {
  // The text is split by a group, so every second part is the marked text.
  return children.split(MARK).map((part, index) => {
    const Part = index % 2 === 1 ? 'b' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no ids, and never move
      <Part key={index}>
        <WithDays>{part}</WithDays>
      </Part>
    );
  });
}
