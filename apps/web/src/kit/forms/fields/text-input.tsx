import { type FocusEvent, type MouseEvent, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { TextBox, type TextLook } from './text-box.tsx';
import { type FieldProps, useField, useFirstFocus } from './use-field.ts';

/** With type `number` the form gets a number, or the typed text if that is not a number. */
export interface TextInputProps<Values extends FieldValues, Output>
  extends Omit<FieldProps<Values, Output>, 'disabled'>,
    TextLook {
  /** Focuses the field on mount; leaving it empty is not an error until the form is submitted. */
  autoFocus?: boolean;
  /** Selects the text with the first click or focus, so that typing replaces it. */
  isSelectedAtFocus?: boolean | undefined;
  /** True if an empty field gives null, which means "none". */
  isNullable?: boolean;
}

/** The value of a field for numbers. An empty field gives '', because undefined would restore its default value. */
export function typedNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}

/**
 * Selects the text when the field gets the focus. A click sets the caret after that, so the text is
 * selected after both.
 */
function useSelectAtFocus(isAsked: boolean) {
  const isFresh = useRef(false);
  if (!isAsked) return {};
  return {
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      isFresh.current = true;
      currentTarget.select();
    },
    onClick: ({ currentTarget }: MouseEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      if (isFresh.current) currentTarget.select();
      isFresh.current = false;
    },
  };
}

export function TextInput<Values extends FieldValues, Output>(
  props: TextInputProps<Values, Output>,
) {
  const { control, name, label, required, hint, problem, autoFocus, isNullable, ...rest } = props;
  const { isSelectedAtFocus = false, ...look } = rest;
  const { field, frame, input } = useField(props);
  const select = useSelectAtFocus(isSelectedAtFocus);
  const ref = useFirstFocus(field.ref, autoFocus);
  return (
    <TextBox
      {...look}
      frame={frame}
      input={{
        ...input,
        ...select,
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
