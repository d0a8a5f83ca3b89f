import type { LucideIcon } from 'lucide-react';
import { Fragment, type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
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

/** A section counts as reached when its top comes this near to the window's. */
const REACHED_PX = 160;

function sectionInView(ids: readonly string[]): string | undefined {
  const { scrollHeight, clientHeight } = document.documentElement;
  const isAtEnd = scrollHeight > clientHeight && scrollY + clientHeight >= scrollHeight - 2;
  if (isAtEnd) return ids.at(-1);
  const reached = ids.filter((id) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top <= REACHED_PX;
  });
  return reached.at(-1) ?? ids[0];
}

/** The section that is read, or was just gone to. */
function useCurrentSection(ids: readonly string[]) {
  const key = ids.join(' ');
  const [current, setCurrent] = useState(ids[0]);
  useEffect(() => {
    const follow = () => setCurrent(sectionInView(key.split(' ')));
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, [key]);
  return { current, setCurrent };
}

/** Cards below each other, with links to each beside them; on a phone above them. */
export function Sections({ sections, links = [], children }: SectionsProps) {
  const { t } = useTranslation();
  const allLinks = [...sections, ...links];
  const { current, setCurrent } = useCurrentSection(allLinks.map(({ id }) => id));
  const goTo = (event: MouseEvent, id: string) => {
    event.preventDefault();
    const section = document.getElementById(id);
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
    // The last sections cannot reach the top of the window.
    requestAnimationFrame(() => setCurrent(id));
  };
  return (
    <div className={styles.sections}>
      <nav className={styles.nav} aria-label={t('sections')}>
        {allLinks.map(({ id, text, icon: Icon, heading }) => (
          <Fragment key={id}>
            {heading && <h2>{heading}</h2>}
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              onClick={(event) => goTo(event, id)}
            >
              <Icon size={18} aria-hidden="true" />
              {text}
            </a>
          </Fragment>
        ))}
      </nav>
      <div className={styles.cards}>
        {sections.map(({ id, content }) => (
          <div key={id} id={id} tabIndex={-1} className={styles.section}>
            {content}
          </div>
        ))}
        {children}
      </div>
    </div>
  );
}
