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

const TONES = 6;

/** One of the tones in avatar.module.css: the same for a name wherever it appears. */
function toneOf(name: string): number {
  return (
    [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 0) % TONES
  );
}

export function Avatar({ name, size = 40 }: { name: string; size?: 32 | 40 }) {
  return (
    <span
      className={styles.avatar}
      data-size={size}
      data-tone={toneOf(shownText(name).trim())}
      // Drawn by CSS, so that the letters are not part of the button's accessible name.
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
