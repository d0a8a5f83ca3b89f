import styles from './item-values.module.css';

/** The fields of a line that a job concerns, one below the other; long notes are cut short. */
export function ItemValues({ values }: { values: string[] }) {
  return values.map((value) => (
    <span key={value} className={styles.value} title={value}>
      {value}
    </span>
  ));
}
