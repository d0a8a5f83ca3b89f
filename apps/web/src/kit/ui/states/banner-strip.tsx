import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ON_BANNER } from './banner.tsx';

interface BannerStripProps {
  tone: 'warning' | 'error';
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
  /** True if the action closes the strip. */
  isClosable?: boolean;
}

/** A banner above the whole page. */
export function BannerStrip(props: BannerStripProps) {
  const { tone, icon: Icon, title, children, action, isClosable } = props;
  return (
    <div
      className={`flex items-center gap-3 min-h-12 py-2 px-(--side) bg-tone-bg text-tone-fg phone:items-start phone:not-data-closes:flex-wrap phone:[&>[data-variant]]:ms-7.5 ${ON_BANNER}`}
      data-tone={tone}
      data-closes={isClosable || undefined}
      role="status"
    >
      <Icon size={18} />
      <span className="flex-1 min-w-0 wrap-anywhere phone:[:not([data-closes])>&]:basis-[calc(100%-32px)]">
        <b className="type-strong">{title}</b> {children}
      </span>
      {action}
    </div>
  );
}
