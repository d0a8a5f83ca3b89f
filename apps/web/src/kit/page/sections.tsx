import type { LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface SectionLink {
  id: string;
  text: string;
  icon: LucideIcon;
  /** Heading above this and the following links. */
  heading?: string;
}

export interface Section extends SectionLink {
  content: ReactNode;
}

interface SectionsProps {
  sections: readonly Section[];
  /** Further links, whose elements are in `children`, each with its id and `sectionClass`. */
  links?: readonly SectionLink[];
  /** Content below the cards. */
  children?: ReactNode;
}

export const sectionClass = 'scroll-mt-[calc(var(--header)_+_16px)] [outline:0] *:max-w-none';

/** Milliseconds after which the content above the current section must have been drawn. */
const DRAWING_MS = 3000;
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Keeps a section in its place while the page is being drawn, until the reader scrolls, types or clicks. */
function keepInPlace(id: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const place = () => {
    const section = document.getElementById(id);
    if (!section) return;
    section.scrollIntoView();
    // The section gets the focus once, so that a reader who goes on without a key or a pointer is not moved back.
    if (!timer) section.focus({ preventScroll: true });
    timer ??= setTimeout(stop, DRAWING_MS);
  };
  const drawing = new MutationObserver(place);
  const stop = () => {
    clearTimeout(timer);
    drawing.disconnect();
    for (const act of ACTS) removeEventListener(act, stop);
  };
  for (const act of ACTS) addEventListener(act, stop);
  drawing.observe(document.body, { childList: true, subtree: true });
  place();
  return stop;
}

/** Returns a function that scrolls to a section; at first it scrolls to the section in the address. */
function useGoToSection(ids: readonly string[]) {
  const stopKeeping = useRef<() => void>(undefined);
  const goTo = (id: string) => {
    stopKeeping.current?.();
    stopKeeping.current = keepInPlace(id);
  };
  const goToNamed = useEffectEvent(() => {
    const id = location.hash.slice(1);
    if (ids.includes(id)) goTo(id);
  });
  useEffect(() => {
    goToNamed();
    return () => stopKeeping.current?.();
  }, []);
  return goTo;
}

/** The look of the links above the sections: in one row, scrolled sideways. */
const ACROSS =
  'small-tablet:[--bleed:24px] small-tablet:static small-tablet:flex small-tablet:gap-2 small-tablet:-mx-(--bleed) small-tablet:py-0.5 small-tablet:px-(--bleed) small-tablet:overflow-x-auto small-tablet:[scrollbar-width:none] phone:[--bleed:var(--side)]';
const FRAMED =
  'small-tablet:min-h-11 small-tablet:border small-tablet:border-divider-strong small-tablet:bg-paper small-tablet:whitespace-nowrap small-tablet:hover:bg-hover small-tablet:[&>svg]:hidden';
/** Cards below each other, with links to them at the side or, on a phone, above them. */
export function Sections({ sections, links = [], children }: SectionsProps) {
  const { t } = useTranslation();
  const allLinks = [...sections, ...links];
  const goTo = useGoToSection(allLinks.map(({ id }) => id));
  return (
    <div className="grid grid-cols-[216px_minmax(0,var(--form-max))] items-start gap-6 small-tablet:grid-cols-1 small-tablet:gap-4">
      <nav
        className={`sticky top-[calc(var(--header)+16px)] grid gap-1 ${ACROSS}`}
        aria-label={t('sections')}
      >
        {allLinks.map(({ id, text, icon: Icon, heading }) => (
          <Fragment key={id}>
            {heading && (
              <h2 className="pt-4 px-3 pb-1 text-text-2 type-badge first:pt-0 small-tablet:hidden">
                {heading}
              </h2>
            )}
            <a
              className={`flex items-center gap-3 min-h-10 px-3 rounded-control text-text-2 font-medium hover:bg-hover ${FRAMED}`}
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault();
                goTo(id);
              }}
            >
              <Icon size={18} />
              {text}
            </a>
          </Fragment>
        ))}
      </nav>
      <div className="grid grid-cols-1 gap-6 phone:gap-4">
        {sections.map(({ id, content }) => (
          <div key={id} id={id} tabIndex={-1} className={sectionClass}>
            {content}
          </div>
        ))}
        {children}
      </div>
    </div>
  );
}
