import { Fragment } from 'react';
import { WithDays } from './with-days.tsx';

const MARK = /<b>(.*?)<\/b>/;

/** A translated sentence in which `<b>` marks the important words. Dates in it do not break across lines. */
export function BoldText({ children }: { children: string }) {
  // Split by a group, every second part is what the mark holds.
  return children.split(MARK).map((part, index) => {
    const Part = index % 2 === 1 ? 'b' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name
      <Part key={index}>
        <WithDays>{part}</WithDays>
      </Part>
    );
  });
}
