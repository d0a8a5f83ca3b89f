import styles from './refetch-bar.module.css';

/** A thin line while fresh data replaces what is shown; it takes its 2 px even when it rests. */
export function RefetchBar({ active }: { active: boolean }) {
  return <div className={styles.bar} data-active={active || undefined} aria-hidden="true" />;
}
