import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useCurrentTabShown } from './use-current-tab-shown.ts';

interface TabBarProps extends Omit<ComponentProps<'nav'>, 'ref'> {
  /** Content after the last tab, at the end of the bar. */
  end?: ReactNode;
}

/**
 * The space after the last tab, so that it can be scrolled out of the faded area, which may also cover a focused tab.
 */
const FADING =
  'phone:ps-4 phone:pe-12 phone:[mask-image:linear-gradient(to_right,#000_88%,transparent)]';
const TABS = `flex flex-1 items-stretch gap-8 min-w-0 h-12 px-(--list-side,24px) overflow-x-auto overflow-y-hidden whitespace-nowrap [scrollbar-width:none] [--covered-end:48px] tablet:gap-6 [&>a:hover]:text-text ${FADING}`;

const LINE_BELOW =
  "data-current:after:content-[''] data-current:after:absolute data-current:after:inset-x-0 data-current:after:bottom-0 data-current:after:h-0.5 data-current:after:rounded-t-[2px] data-current:after:bg-primary";
/** The class of links and buttons that look like tabs. The current tab has the attribute `data-current`. */
export const TAB = `relative flex items-center gap-2 text-text-2 type-[500_14px/22px_var(--font)] focus-visible:-outline-offset-2 data-current:text-text data-current:font-semibold ${LINE_BELOW}`;

interface TabLinkProps extends ComponentProps<'a'> {
  isCurrent: boolean;
}

/** A tab that is a link to its part of the page. */
export const TabLink = createLink(({ isCurrent, ...link }: TabLinkProps) => (
  <a
    aria-current={isCurrent ? 'page' : undefined}
    {...link}
    className={TAB}
    data-current={isCurrent || undefined}
  />
));

/** A bar of links that look like `TAB`. */
export function TabBar({ end, ...nav }: TabBarProps) {
  const tabs = useRef<HTMLElement>(null);
  useCurrentTabShown(tabs);
  return (
    <div
      className="flex items-center h-12 [box-shadow:inset_0_-1px_0_var(--color-divider)] phone:my-0 phone:mx-[calc(-1_*_var(--list-bleed,16px))]"
      data-print="none"
    >
      <nav {...nav} ref={tabs} className={TABS} />
      {end}
    </div>
  );
}

interface TabCountProps {
  tone?: string;
  /** True to keep a width for the number before it arrives. */
  isLate?: boolean;
  children: ReactNode;
}

const TONE =
  'bg-[var(--tone-bg,var(--color-neutral-bg))] text-[var(--tone-fg,var(--color-neutral-fg))] [[data-current]>&]:bg-text [[data-current]>&]:text-[#fff]';

export function TabCount({ tone = 'neutral', isLate, children }: TabCountProps) {
  return (
    <span
      className={`flex-none ${isLate ? 'min-w-9' : 'min-w-6'} py-0 px-1.5 rounded-badge ${TONE} type-[700_12px/22px_var(--font)] text-center empty:invisible`}
      data-tone={tone}
    >
      {children}
    </span>
  );
}
