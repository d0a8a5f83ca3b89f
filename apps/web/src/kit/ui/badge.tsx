import type { ReactNode } from 'react';
import './icons/icons.css';
import type { DrawnIcon } from './icons/drawn-icon.ts';

export type BadgeTone = 'success' | 'warning' | 'error' | 'info' | 'neutral';

interface BadgeProps {
  tone: BadgeTone;
  icon?: ReactNode;
  /** An icon drawn by the stylesheet, for badges in every row of a list. */
  drawnIcon?: DrawnIcon;
  /** Grey text with the icon, without a background. */
  quiet?: boolean;
  /** True if the text may take a second row. */
  wraps?: boolean;
  title?: string;
  children: ReactNode;
}

const FILLED = 'bg-tone-bg text-tone-fg type-badge';
const QUIET = 'text-text-2 type-caption';
const ONE_LINE = 'h-[var(--badge-height,24px)] whitespace-nowrap';
const WRAPPING = 'min-h-[var(--badge-height,24px)] whitespace-normal';

export function Badge({ tone, icon, drawnIcon, quiet, wraps, title, children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1 px-2 rounded-badge max-w-full overflow-hidden align-middle [--icon-size:14px] ${quiet ? QUIET : FILLED} ${wraps ? WRAPPING : ONE_LINE}`}
      data-tone={tone}
      data-icon={drawnIcon}
      data-quiet={quiet || undefined}
      title={title}
    >
      {icon && (
        <span className="[&_svg]:w-3.5 [&_svg]:h-3.5 [&_svg]:[stroke-width:2]" aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
    </span>
  );
}
