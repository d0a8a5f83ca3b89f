import { type ReactNode, useEffect, useRef } from 'react';
import styles from './forms.module.css';

/**
 * Place above the fields of a form. Scrolls to it when the panel refuses the form as a whole, since
 * the submit button may be far below. Keeps the focus in the field if the form was submitted with
 * Enter.
 */
export function RefusalPlace({ refusal, children }: { refusal: unknown; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!refusal) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.matches('input, textarea')) return;
    place.current?.focus({ preventScroll: true });
  }, [refusal]);
  return (
    <div ref={place} className={styles.problems} tabIndex={-1}>
      {children}
    </div>
  );
}
