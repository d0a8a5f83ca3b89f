import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useCurrentTabShown } from './use-current-tab-shown.ts';

interface TabBarProps extends Omit<ComponentProps<'nav'>, 'ref'> {
  /** Stands behind the tabs. */
  end?: ReactNode;
}

/** Links that are drawn as tabs, the current one with `data-current`. */
/** On a phone the last tab can be moved out of what fades, which may also cover one with the focus. */
const TABS =
  "flex flex-1 items-stretch gap-8 min-w-0 h-12 px-(--list-side,24px) overflow-x-auto overflow-y-hidden whitespace-nowrap [scrollbar-width:none] [--covered-end:48px] [&_a]:relative [&_a]:flex [&_a]:items-center [&_a]:gap-2 [&_a]:text-text-2 [&_a]:type-[500_14px/22px_var(--font)] [&_a:hover]:text-text [&_a]:focus-visible:-outline-offset-2 [&_a[data-current]]:text-text [&_a[data-current]]:font-semibold [&_a[data-current]]:after:content-[''] [&_a[data-current]]:after:absolute [&_a[data-current]]:after:inset-x-0 [&_a[data-current]]:after:bottom-0 [&_a[data-current]]:after:h-0.5 [&_a[data-current]]:after:rounded-t-[2px] [&_a[data-current]]:after:bg-primary tablet:gap-6 phone:ps-4 phone:pe-12 phone:[mask-image:linear-gradient(to_right,#000_88%,transparent)]";

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
  /** Keeps its width before the number is there. */
  isLate?: boolean;
  children: ReactNode;
}

export function TabCount({ tone = 'neutral', isLate, children }: TabCountProps) {
  return (
    <span
      className="flex-none min-w-6 py-0 px-1.5 rounded-badge bg-[var(--tone-bg,var(--color-neutral-bg))] text-[var(--tone-fg,var(--color-neutral-fg))] type-[700_12px/22px_var(--font)] text-center data-late:min-w-9 empty:invisible [[data-current]>&]:bg-text [[data-current]>&]:text-[#fff]"
      data-tone={tone}
      data-late={isLate || undefined}
    >
      {children}
    </span>
  );
}
