import type { ReactNode } from 'react';

interface TwoLinesProps {
  first: ReactNode;
  /** The second line, in smaller letters. */
  second?: ReactNode;
  title?: string;
  isUnread?: boolean;
}

const ON_PHONE =
  'phone:*:whitespace-normal phone:*:wrap-anywhere phone:[&>small]:[display:-webkit-box] phone:[&>small]:[-webkit-box-orient:vertical] phone:[&>small]:[-webkit-line-clamp:3]';
const COMPACT =
  '[[data-density=compact]_&]:flex [[data-density=compact]_&]:items-baseline [[data-density=compact]_&]:gap-2 [[data-density=compact]_&]:py-0 [[data-density=compact]_&]:[&>:first-child]:flex-none [[data-density=compact]_&]:[&>:first-child]:max-w-[65%]';

/** A cell of two lines, which are side by side in compact rows. */
export function TwoLines({ first, second, title, isUnread }: TwoLinesProps) {
  return (
    <span
      className={`grid min-w-0 py-1 *:overflow-hidden *:text-ellipsis *:whitespace-nowrap [&[data-unread]>:first-child]:font-semibold ${ON_PHONE} ${COMPACT}`}
      title={title}
      data-unread={isUnread || undefined}
    >
      {first}
      {second}
    </span>
  );
}

interface TwoLineCellProps extends Pick<TwoLinesProps, 'first' | 'second'> {
  /** An icon or a face before the lines. */
  lead: ReactNode;
}

/** The first cell of a row, with its name: an icon or avatar, a row of text, and a smaller one below. */
export function TwoLineCell({ lead, first, second }: TwoLineCellProps) {
  return (
    <span className="flex items-center gap-3 min-w-0 [&_b]:text-text [&_b]:font-semibold [&_b_a]:text-primary [&_a:hover]:underline [[data-density=compact]_&>:first-child]:hidden">
      {lead}
      <TwoLines first={first} second={second} />
    </span>
  );
}
