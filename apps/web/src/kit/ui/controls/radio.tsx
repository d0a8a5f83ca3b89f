import type { ComponentProps } from 'react';
import styles from './radio.module.css';

/** A radio button as the design draws it. */
export function Radio(props: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={styles.radio} />;
}
