import type { FieldValues } from 'react-hook-form';
import { TextBox, type TextLook } from './text-box.tsx';
import { type FieldProps, useField, useFirstFocus } from './use-field.ts';

/** With type `number` the form gets a number, or the typed text if it is not a number. */
export interface TextInputProps<Values extends FieldValues, Output>
  extends Omit<FieldProps<Values, Output>, 'disabled'>,
    TextLook {
  /** Focuses the field on mount; leaving it empty is not an error until the form is submitted. */
  autoFocus?: boolean;
  /** Left empty the field gives null, for "none". */
  isNullable?: boolean;
}

/** An empty field gives '' because undefined would restore its default value. */
function typedNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}

export function TextInput<Values extends FieldValues, Output>(
  props: TextInputProps<Values, Output>,
) {
  const { control, name, label, required, hint, problem, autoFocus, isNullable, ...look } = props;
  const { field, frame, input } = useField(props);
  const ref = useFirstFocus(field.ref, autoFocus);
  return (
    <TextBox
      {...look}
      frame={frame}
      input={{
        ...input,
        name: field.name,
        ref,
        value: field.value ?? '',
        onBlur: autoFocus && !field.value ? undefined : field.onBlur,
        onChange: ({ target: { value } }) => {
          const typed = look.type === 'number' ? typedNumber(value) : value;
          field.onChange(isNullable && value.trim() === '' ? null : typed);
        },
      }}
    />
  );
}
