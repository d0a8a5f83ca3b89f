import { isolate } from '../i18n/isolate.ts';
import { TypedText } from '../ui/typed-text.tsx';
import styles from './item-values.module.css';

/** The line's fields that a job changes, one below the other; long notes are truncated. */
export function ItemValues({ values }: { values: string[] }) {
  return values.map((value) => (
    <span key={value} className={styles.value} title={isolate(value)}>
      <TypedText>{value}</TypedText>
    </span>
  ));
}
