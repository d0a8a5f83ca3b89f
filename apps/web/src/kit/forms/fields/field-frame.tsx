import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface FieldFrameProps {
  id: string;
  helpId?: string | undefined;
  label: string;
  required?: boolean | undefined;
  hint?: ReactNode;
  errorText?: string | undefined;
  /** Content at the end of the label's row, for example a link. */
  aside?: ReactNode;
  children: ReactNode;
}

export function RequiredMark() {
  return (
    <span className="ms-0.5 text-danger" aria-hidden="true">
      *
    </span>
  );
}

/** A field with its label above, and below it the error, or the hint if there is no error. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, helpId, label, required, hint, errorText, aside, children } = props;
  return (
    <div className="min-w-0">
      <div className="flex items-center flex-wrap justify-between gap-2 mb-2">
        <label className="type-strong" htmlFor={id} id={`${id}-label`}>
          {label}
          {required && <RequiredMark />}
        </label>
        {aside}
      </div>
      {children}
      {(errorText || hint) && (
        <p
          id={helpId}
          className={`flex items-start gap-1 mt-1 type-caption [&>svg]:mt-0.5 ${errorText ? 'text-danger' : 'text-text-2'}`}
        >
          {errorText && <CircleAlert size={14} strokeWidth={2} />}
          <span>{errorText ?? hint}</span>
        </p>
      )}
    </div>
  );
}
