import type { ComponentProps } from 'react';
import styles from './covering-input.module.css';

/** An invisible radio button or checkbox over all of its label, which is positioned and shows the state. */
export function CoveringInput(props: ComponentProps<'input'>) {
  return <input {...props} className={styles.covering} />;
}
