import { type ComponentType, type MouseEvent, useEffect, useState } from 'react';
import styles from './profile-page.module.css';

export interface Section {
  id: string;
  text: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
}

/** The section that the reader has reached: the first one in the upper part of the window. */
function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const key = ids.join(' ');
  useEffect(() => {
    const seen = new Set<string>();
    const names = key.split(' ');
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        const first = names.find((id) => seen.has(id));
        if (first) setCurrent(first);
      },
      { rootMargin: '-96px 0px -50% 0px' },
    );
    for (const id of names) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [key]);
  return current;
}

/** Links to the sections of a long page, without leaving it: what was typed there stays. */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const current = useCurrentSection(sections.map(({ id }) => id));
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault();
    const section = document.getElementById(id);
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>('input, button, a')?.focus({ preventScroll: true });
  };
  return (
    <nav className={styles.nav} aria-label={label}>
      {sections.map(({ id, text, icon: Icon }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'true' : undefined}
          onClick={(event) => go(event, id)}
        >
          <Icon size={18} aria-hidden />
          {text}
        </a>
      ))}
    </nav>
  );
}
