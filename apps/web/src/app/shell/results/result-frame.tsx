import type { CSSProperties, ReactNode, Ref } from 'react';
import type { Result } from '#platform/state/results.ts';

interface ResultFrameProps {
  ref?: Ref<HTMLDivElement>;
  tone: Result['tone'];
  /** True while the result moves to the bell, where it can be found afterwards. */
  isLeaving?: boolean;
  style?: CSSProperties;
  children: ReactNode;
}

/** The text of a result: two lines at most, in a small phone three. */
export const RESULT_TEXT =
  'line-clamp-2 flex-1 min-w-0 type-[600_14px/20px_var(--font)] wrap-anywhere above-phone:leading-4.5 small-phone:line-clamp-3 small-phone:text-[12px] small-phone:leading-4';
const LINE =
  'relative flex flex-1 items-center gap-2 min-w-0 h-10 mx-2 ps-3 pe-1 overflow-hidden rounded-control bg-tone-bg text-tone-fg phone:h-13 phone:me-1 [&>svg]:flex-none small-phone:[&>svg]:hidden';
const ACTION =
  '[&>button[data-variant]]:flex-none [&>button[data-variant]]:border-0 [&>button[data-variant]]:bg-[color-mix(in_srgb,var(--color-paper)_72%,transparent)] [&>button[data-variant]]:text-inherit [&>button[data-variant]:hover]:bg-paper';
const ACTION_ON_PHONE =
  'phone:[&>button[data-variant]]:max-w-28 phone:[&>button[data-variant]]:px-2 phone:[&>button[data-variant]]:leading-4.5 phone:[&>button[data-variant]]:whitespace-normal';
const LEAVES =
  'animate-[leave_0.25s_ease-in_forwards] origin-[calc(100%+200px)_50%] phone:origin-[calc(100%+24px)_50%] motion-reduce:animate-none';

/** The frame of a result in the header. */
export function ResultFrame({ ref, tone, isLeaving, style, children }: ResultFrameProps) {
  return (
    <div
      ref={ref}
      className={`${LINE} ${ACTION} ${ACTION_ON_PHONE} ${isLeaving ? LEAVES : 'animate-[drop_0.2s_ease-out]'}`}
      data-tone={tone}
      style={style}
    >
      {children}
    </div>
  );
}
