import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { useCurrentTabShown } from '#kit/list/views/use-current-tab-shown.ts';
import { lineParts } from '#screens/line-screens.ts';

/** The parts of a line, on its page and in the panel. */
export function LineTabs() {
  const { t } = useTranslation('line');
  const { part: current } = useLinePlace();
  const tabs = useRef<HTMLElement>(null);
  useCurrentTabShown(tabs);
  return (
    <nav
      ref={tabs}
      className="flex flex-none gap-8 py-0 px-6 overflow-x-auto border-b border-b-divider [scrollbar-width:none] phone:my-0 phone:mx-[calc(-1_*_var(--side))] phone:py-0 phone:px-(--side)"
      aria-label={t('field.line')}
      data-print="none"
    >
      {lineParts.map((part) => (
        <Link
          key={part}
          to="."
          search={
            ((now: object) => ({
              ...now,
              part: part === 'overview' ? undefined : part,
            })) as never
          }
          replace
          resetScroll={false}
          className="flex items-center min-h-12 [border-bottom:2px_solid_transparent] text-text-2 font-medium whitespace-nowrap [&[aria-current]]:border-primary [&[aria-current]]:text-text [&[aria-current]]:font-semibold"
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={part === current ? 'page' : undefined}
          data-current={part === current || undefined}
        >
          {t(`tabs.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
