import { shownText } from '../i18n/isolate.ts';
import styles from './avatar.module.css';

/** Initials: "GS" for "Grażyna Szczęsna"; for an email its first two letters. */
function initialsOf(name: string): string {
  const words = shownText(name).trim().split(/\s+/);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const letters = last ? [first, last].map((word) => [...word][0] ?? '') : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

export function Avatar({ name, size = 40 }: { name: string; size?: 32 | 40 }) {
  return (
    <span
      className={styles.avatar}
      data-size={size}
      // Drawn by CSS, so that the letters are not part of the button's accessible name.
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
