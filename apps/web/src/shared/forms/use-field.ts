import type { ErrorData } from '@linekeeper/contract/errors.ts';
import { useEffect, useId } from 'react';
import {
  type Control,
  type FieldError,
  type FieldPath,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { isKnownCode, useCodeText } from '../i18n/use-error-text.ts';
import { rememberLabel } from './field-labels.ts';

/** What every field component takes. */
export interface FieldProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  required?: boolean;
  hint?: React.ReactNode;
  disabled?: boolean;
}

/** A field's error as a sentence. */
export function useFieldErrorText(): (error: FieldError | undefined) => string | undefined {
  const codeText = useCodeText();
  return (error) => {
    const message = error?.message;
    if (!message) return undefined;
    const { data } = error as { data?: ErrorData };
    return isKnownCode(message) ? codeText(message, data) : message;
  };
}

/** Ties a field of the form to its label, hint and error. */
export function useField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  required,
  hint,
}: FieldProps<Values, Output>) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const errorText = useFieldErrorText()(fieldState.error);
  useEffect(() => rememberLabel(control, name, label), [control, name, label]);
  const helpId = errorText || hint ? `${id}-help` : undefined;
  return {
    field,
    frame: { id, helpId, label, required, hint, errorText },
    input: {
      id,
      'aria-invalid': errorText ? true : undefined,
      'aria-required': required || undefined,
      'aria-describedby': helpId,
    },
  };
}
