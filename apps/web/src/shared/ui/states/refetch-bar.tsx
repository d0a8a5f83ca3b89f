import styles from './refetch-bar.module.css';

/** Progress line shown while data is refetched; always takes 2 px to avoid a layout shift. */
export function RefetchBar({ active }: { active: boolean }) {
  return <div className={styles.bar} data-active={active || undefined} aria-hidden="true" />;
}
