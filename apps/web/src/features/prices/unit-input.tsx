import type { FieldValues } from 'react-hook-form';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { typedNumber } from '#kit/forms/fields/text-input.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';

interface UnitInputProps<Values extends FieldValues, Output>
  extends Pick<FieldProps<Values, Output>, 'control' | 'name' | 'label'> {
  /** The unit behind the number, such as "months". */
  unit: string;
  /** True for a grey number, which is entered but not used. */
  isQuiet?: boolean;
}

/** A number with its unit in a cell of a row, whose column or row shows its label. */
export function UnitInput<Values extends FieldValues, Output>(
  props: UnitInputProps<Values, Output>,
) {
  const { label, unit, isQuiet } = props;
  const { field, frame, input } = useField({ ...props, required: true });
  const text = String(field.value ?? '');
  return (
    <div className="min-w-0">
      <InputBox
        isInvalid={frame.errorText !== undefined}
        isDisabled={isQuiet}
        className="phone:gap-1 phone:px-2"
      >
        <input
          {...input}
          ref={field.ref}
          name={field.name}
          className={isQuiet ? undefined : 'font-semibold'}
          // The field is as wide as its number, so that the unit follows directly.
          style={{ width: `${Math.max(1, text.length)}ch` }}
          aria-label={label}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onBlur={field.onBlur}
          onChange={({ target }) => field.onChange(typedNumber(target.value))}
        />
        <label
          htmlFor={input.id}
          className="flex-1 truncate text-text-2 cursor-text phone:type-caption"
          aria-hidden="true"
        >
          {unit}
        </label>
      </InputBox>
      {frame.errorText && (
        <p id={frame.helpId} className="mt-1 text-danger type-caption">
          {frame.errorText}
        </p>
      )}
    </div>
  );
}
