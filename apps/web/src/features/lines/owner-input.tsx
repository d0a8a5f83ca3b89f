import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from '../../shared/forms/field-frame.tsx';
import { type FieldProps, useField } from '../../shared/forms/use-field.ts';
import { type Owner, OwnerPicker } from './owner-picker.tsx';

interface OwnerInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** Known by name before anything was searched. */
  initial: Owner | null;
  placeholder?: string;
}

/** A form's field that keeps an account's id and shows its address. */
export function OwnerInput<Values extends FieldValues, Output>(
  props: OwnerInputProps<Values, Output>,
) {
  const { initial, placeholder } = props;
  const { field, frame, input } = useField(props);
  const [chosen, setChosen] = useState(initial);
  const known = [chosen, initial].find((owner) => owner?.id === field.value) ?? null;
  const choose = (owner: Owner | null) => {
    setChosen(owner);
    // Nobody is no owner: an emptied field means the one before.
    field.onChange(owner?.id ?? initial?.id);
  };
  return (
    <FieldFrame {...frame}>
      <OwnerPicker
        id={input.id}
        aria-describedby={input['aria-describedby']}
        aria-invalid={input['aria-invalid']}
        value={known}
        onChange={choose}
        onBlur={field.onBlur}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
    </FieldFrame>
  );
}
