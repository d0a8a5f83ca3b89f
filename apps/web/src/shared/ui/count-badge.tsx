import styles from './badge.module.css';

const CAP = 99;

/** A number of things unread, "99+" above 99; nothing for none. */
export function CountBadge({ count }: { count: number }) {
  if (count <= 0) return null;
  return <span className={styles.count}>{count > CAP ? `${CAP}+` : count}</span>;
}
