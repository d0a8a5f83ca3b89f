import { TWO_FACTOR_DIGITS } from '@linekeeper/contract/auth/two-factor.ts';
import type { ChangeEvent } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from './field-frame.tsx';
import { type FieldProps, useField, useFirstFocus } from './use-field.ts';

const places = Array.from({ length: TWO_FACTOR_DIGITS }, (_, place) => place);

/** The new code after typing: a full field is emptied by the next digit, so that a wrong code need not be deleted. */
function typed(text: string, before: string): string {
  const digits = text.replace(/\D/g, '');
  const isFull = before.length === TWO_FACTOR_DIGITS && digits.startsWith(before);
  return (isFull && digits !== before ? digits.slice(TWO_FACTOR_DIGITS) : digits).slice(
    0,
    TWO_FACTOR_DIGITS,
  );
}

interface CodeInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  autoFocus?: boolean;
  /** True if the code is the last input, so that its last digit sends the form. */
  isLast?: boolean;
}

/** The look of the box for the next digit. */
const NEXT =
  'data-next:[:has(>input:focus)>&]:border-primary data-next:[:has(>input:focus)>&]:shadow-[inset_0_0_0_1px_var(--color-primary)]';

/**
 * The input for a code of digits, with a box for each. It is one field, so that a code can be pasted, also with spaces.
 */
export function CodeInput<Values extends FieldValues, Output>(
  props: CodeInputProps<Values, Output>,
) {
  const { field, frame, input } = useField(props);
  const ref = useFirstFocus(field.ref, props.autoFocus);
  const value: string = field.value ?? '';
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const code = typed(target.value, value);
    field.onChange(code);
    const isComplete = code.length === TWO_FACTOR_DIGITS && code !== value;
    if (props.isLast && isComplete) target.form?.requestSubmit();
  };
  return (
    <FieldFrame {...frame}>
      <div className="relative grid grid-cols-[repeat(6,44px)] gap-2 w-max max-w-full phone:grid-cols-[repeat(6,minmax(0,44px))] phone:w-full">
        {places.map((place) => (
          <span
            key={place}
            className={`grid place-items-center h-12 border rounded-control bg-paper type-[600_20px/28px_var(--font)] ${NEXT} ${frame.errorText ? 'border-danger' : 'border-input-border'}`}
            data-next={place === Math.min(value.length, TWO_FACTOR_DIGITS - 1) || undefined}
            aria-hidden="true"
          >
            {value[place]}
          </span>
        ))}
        {/* The real field covers the drawn digits, and takes typed, pasted and filled-in codes. */}
        <input
          {...input}
          className="absolute inset-0 w-full h-full p-0 border-0 [outline:0] bg-transparent text-transparent [-webkit-text-fill-color:transparent] caret-transparent type-input-mobile selection:bg-transparent"
          ref={ref}
          name={field.name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          value={value}
          onBlur={value === '' ? undefined : field.onBlur}
          onChange={change}
        />
      </div>
    </FieldFrame>
  );
}
