import type { CSSProperties, ReactNode, Ref } from 'react';
import type { Result } from '#platform/state/results.ts';

interface ResultFrameProps {
  ref?: Ref<HTMLDivElement>;
  tone: Result['tone'];
  /** Goes to the bell, where it is found from now on. */
  isLeaving?: boolean;
  style?: CSSProperties;
  children: ReactNode;
}

const LINE =
  'relative flex flex-1 items-center gap-2 min-w-0 h-10 mx-2 ps-3 pe-1 overflow-hidden rounded-control bg-tone-bg text-tone-fg phone:h-13 phone:me-1 [&>svg]:flex-none small-phone:[&>svg]:hidden';
const ACTION =
  '[&>button[data-variant]]:flex-none [&>button[data-variant]]:border-0 [&>button[data-variant]]:bg-[color-mix(in_srgb,var(--color-paper)_72%,transparent)] [&>button[data-variant]]:text-inherit [&>button[data-variant]:hover]:bg-paper phone:[&>button[data-variant]]:max-w-28 phone:[&>button[data-variant]]:px-2 phone:[&>button[data-variant]]:leading-4.5 phone:[&>button[data-variant]]:whitespace-normal';
const LEAVES =
  'animate-[leave_0.25s_ease-in_forwards] origin-[calc(100%+200px)_50%] phone:origin-[calc(100%+24px)_50%] motion-reduce:animate-none';

/** The frame of a result in the header. */
export function ResultFrame({ ref, tone, isLeaving, style, children }: ResultFrameProps) {
  return (
    <div
      ref={ref}
      className={`${LINE} ${ACTION} ${isLeaving ? LEAVES : 'animate-[drop_0.2s_ease-out]'}`}
      data-tone={tone}
      style={style}
    >
      {children}
    </div>
  );
}
