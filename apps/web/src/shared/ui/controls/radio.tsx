import type { ComponentProps } from 'react';
import styles from './radio.module.css';

/** A radio button as the design draws it. */
export function Radio(props: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={styles.radio} />;
}

/** An invisible radio button over all of its label, which is positioned and shows the state. */
export function CoveringRadio(props: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={styles.covering} />;
}
