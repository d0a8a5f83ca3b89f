import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from './field-frame.tsx';
import styles from './forms.module.css';
import { type FieldProps, useField } from './use-field.ts';

export interface TextInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output> {
  /** `number` keeps a number in the form, and what is not one as it was typed. */
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'search';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  multiline?: boolean;
  rows?: number;
  maxLength?: number;
  readOnly?: boolean;
  spellCheck?: boolean;
  startAdornment?: ReactNode;
  endAdornment?: ReactNode;
  /** At the end of the label's line, such as a link. */
  labelAside?: ReactNode;
}

/** An emptied field is '', never undefined: that would bring its default back. */
function typedNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}

export function TextInput<Values extends FieldValues, Output>(
  props: TextInputProps<Values, Output>,
) {
  const { type = 'text', multiline, rows = 2, startAdornment, endAdornment, labelAside } = props;
  const { field, frame, input } = useField(props);
  const isNumber = type === 'number';
  const shared = {
    ...input,
    name: field.name,
    ref: field.ref,
    value: field.value ?? '',
    onBlur: field.onBlur,
    onChange: (event: { target: { value: string } }) =>
      field.onChange(isNumber ? typedNumber(event.target.value) : event.target.value),
    disabled: props.disabled,
    readOnly: props.readOnly,
    autoComplete: props.autoComplete,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    spellCheck: props.spellCheck,
  };
  return (
    <FieldFrame {...frame} aside={labelAside}>
      <div
        className={styles.box}
        data-invalid={frame.errorText ? true : undefined}
        data-disabled={props.disabled || props.readOnly || undefined}
        data-multiline={multiline || undefined}
      >
        {startAdornment}
        {multiline ? (
          <textarea {...shared} rows={rows} />
        ) : (
          // A number input takes "1e5" and loses what else was typed; digits are asked for instead.
          <input
            {...shared}
            type={isNumber ? 'text' : type}
            inputMode={isNumber ? 'numeric' : undefined}
          />
        )}
        {endAdornment}
      </div>
    </FieldFrame>
  );
}
