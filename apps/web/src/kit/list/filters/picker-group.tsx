import type { ReactNode } from 'react';
import styles from './filter-panel.module.css';

interface PickerGroupProps {
  title: string;
  /** The control that `title` names. */
  htmlFor: string;
  /** True where the values above have the title already. */
  isTitled: boolean;
  children: ReactNode;
}

/** A filter whose values are searched for. */
export function PickerGroup({ title, htmlFor, isTitled, children }: PickerGroupProps) {
  return (
    <div className={styles.group}>
      <label className={isTitled ? 'visually-hidden' : styles.legend} htmlFor={htmlFor}>
        {title}
      </label>
      {children}
    </div>
  );
}

/** Keeps the room of such a filter until its code is there. */
export const PickerGroupRoom = () => <div className="h-(--entry)" />;
