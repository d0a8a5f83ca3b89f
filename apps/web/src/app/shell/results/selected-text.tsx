import styles from './selected-text.module.css';

/** A text that is selected as soon as it is there, for the browser's own way to copy. */
export function SelectedText({ label, children }: { label: string; children: string }) {
  return (
    <textarea
      readOnly
      className={styles.text}
      aria-label={label}
      title={label}
      rows={1}
      value={children}
      ref={(area) => area?.select()}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}
