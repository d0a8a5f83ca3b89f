import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from '#kit/forms/forms.module.css';
import { Row } from '#kit/ui/vocabulary.tsx';

interface FieldFrameProps {
  id: string;
  helpId?: string | undefined;
  label: string;
  required?: boolean | undefined;
  hint?: ReactNode;
  errorText?: string | undefined;
  /** Shown at the end of the label's line, for example a link. */
  aside?: ReactNode;
  children: ReactNode;
}

export function RequiredMark() {
  return (
    <span className={styles.required} aria-hidden="true">
      *
    </span>
  );
}

/** A field with its label above, and below it the error, or the hint if there is no error. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, helpId, label, required, hint, errorText, aside, children } = props;
  return (
    <div className={styles.field}>
      <div className="flex items-center flex-wrap justify-between gap-2 mb-2">
        <label className="type-strong" htmlFor={id} id={`${id}-label`}>
          {label}
          {required && <RequiredMark />}
        </label>
        {aside}
      </div>
      {children}
      {(errorText || hint) && (
        <Row
          as="p"
          id={helpId}
          align="start"
          gap={4}
          above={4}
          muted={!errorText}
          caption
          className={errorText ? styles.error : ''}
        >
          {errorText && <CircleAlert size={14} strokeWidth={2} />}
          <span>{errorText ?? hint}</span>
        </Row>
      )}
    </div>
  );
}
