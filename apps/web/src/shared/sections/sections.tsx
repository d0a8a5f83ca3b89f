import type { LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Stack } from '../ui/vocabulary.tsx';
import styles from './sections.module.css';

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
  /** Further ones, whose elements are in `children`, each with its id and `sectionClass`. */
  links?: readonly SectionLink[];
  /** Shown below the cards. */
  children?: ReactNode;
}

export const sectionClass = styles.section;

/** Scroll positions from which on each section counts as the current one. */
function startsOf(sections: readonly HTMLElement[], end: number): number[] {
  const tops = sections.map((section) => {
    const { top } = section.getBoundingClientRect();
    return top + scrollY - Number.parseFloat(getComputedStyle(section).scrollMarginTop);
  });
  const reachable = tops.filter((top) => top <= end).length;
  const last = Math.max(0, tops[reachable - 1] ?? 0);
  return tops.map((top, index) => {
    // The last sections cannot reach the top of the window, so they share what is left to scroll.
    if (index >= reachable) {
      return last + ((end - last) * (index - reachable + 1)) / (tops.length - reachable);
    }
    // Once more than half of the section above, or of the window, is past it.
    const above = sections[index - 1]?.offsetHeight ?? 0;
    return top - Math.min(above, innerHeight) / 2;
  });
}

function sectionInView(ids: readonly string[]): string | undefined {
  const { scrollHeight, clientHeight } = document.documentElement;
  const end = scrollHeight - clientHeight;
  const sections = ids.flatMap((id) => document.getElementById(id) ?? []);
  if (end <= 0) return ids[0];
  const index = startsOf(sections, end).findLastIndex((start) => start <= scrollY + 1);
  return sections[Math.max(0, index)]?.id;
}

/** Pixels that a page may move by itself below a section that was gone to. */
const STAYS_PX = 4;
/** Milliseconds after which what stands above a section that was gone to has been drawn. */
const DRAWING_MS = 3000;
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Keeps a section in its place while the page is being drawn, until somebody acts. */
function keepInPlace(id: string, onThere: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const place = () => {
    const section = document.getElementById(id);
    if (!section) return;
    section.scrollIntoView();
    // Once, because whoever reads on without a key or a pointer shall not be taken back.
    if (!timer) section.focus({ preventScroll: true });
    timer ??= setTimeout(stop, DRAWING_MS);
    onThere();
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

/** The section that is read, or was just gone to; at first the one that the address names. */
function useCurrentSection(ids: readonly string[]) {
  const key = ids.join(' ');
  const [current, setCurrent] = useState(ids[0]);
  const wentTo = useRef<number>(undefined);
  const stopKeeping = useRef<() => void>(undefined);
  useEffect(() => {
    const follow = () => {
      if (Math.abs(scrollY - (wentTo.current ?? Number.NaN)) < STAYS_PX) return;
      wentTo.current = undefined;
      setCurrent(sectionInView(key.split(' ')));
    };
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, [key]);
  const goTo = (id: string) => {
    stopKeeping.current?.();
    stopKeeping.current = keepInPlace(id, () => {
      wentTo.current = scrollY;
      setCurrent(id);
    });
  };
  const goToNamed = useEffectEvent(() => {
    const id = location.hash.slice(1);
    if (ids.includes(id)) goTo(id);
  });
  useEffect(() => {
    goToNamed();
    return () => stopKeeping.current?.();
  }, []);
  return { current, goTo };
}

/** Cards below each other, with links to each beside them; on a phone above them. */
export function Sections({ sections, links = [], children }: SectionsProps) {
  const { t } = useTranslation();
  const allLinks = [...sections, ...links];
  const ids = allLinks.map(({ id }) => id);
  const { current, goTo } = useCurrentSection(ids);
  return (
    <div className={styles.sections}>
      <nav className={styles.nav} aria-label={t('sections')}>
        {allLinks.map(({ id, text, icon: Icon, heading }) => (
          <Fragment key={id}>
            {heading && <h2>{heading}</h2>}
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
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
      <Stack gap={24} phoneGap={16}>
        {sections.map(({ id, content }) => (
          <div key={id} id={id} tabIndex={-1} className={styles.section}>
            {content}
          </div>
        ))}
        {children}
      </Stack>
    </div>
  );
}
