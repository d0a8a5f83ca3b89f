import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type BannerTone = 'success' | 'warning' | 'error' | 'info';

interface BannerProps {
  tone: BannerTone;
  title: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  /** True to announce the banner immediately, for errors. */
  isAlert?: boolean;
}

/** The look of buttons in a banner, which have its colours instead of their variant's. */
export const ON_BANNER =
  '[&>[data-variant]]:border-0 [&>[data-variant]]:bg-[rgba(255,255,255,0.72)] [&>[data-variant]]:text-inherit [&>[data-variant]:hover]:bg-paper';

const icons = {
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
  info: Info,
};

export function Banner({ tone, title, children, icon, action, isAlert }: BannerProps) {
  const Icon = icons[tone];
  return (
    <div
      className="flex items-start gap-3 py-3 px-4 rounded-[12px] bg-tone-bg text-tone-fg phone:flex-wrap"
      data-tone={tone}
      role={isAlert ? 'alert' : undefined}
    >
      <span className="flex-none mt-px [&_svg]:w-5 [&_svg]:h-5" aria-hidden="true">
        {icon ?? <Icon />}
      </span>
      <div className="flex-1 min-w-0 wrap-anywhere phone:basis-[calc(100%-32px)]">
        <p className="font-semibold">{title}</p>
        {children}
      </div>
      {action && <div className={`flex-none phone:mb-1 phone:ms-8 ${ON_BANNER}`}>{action}</div>}
    </div>
  );
}
