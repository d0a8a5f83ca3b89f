import styles from './avatar.module.css';

/** "Grażyna Szczęsna" as GS; an address by its first two letters. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
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
      // Drawn and not written: the letters are no part of the name of what they stand in.
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
