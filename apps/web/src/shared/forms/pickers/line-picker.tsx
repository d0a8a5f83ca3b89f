import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { FieldFrame } from '../fields/field-frame.tsx';
import { InputBox } from '../fields/input-box.tsx';
import { type FieldProps, useField } from '../fields/use-field.ts';
import type { LineAutocompleteProps, NamedLine } from './line-autocomplete.tsx';

/** Fetched after what it stands in, because its library is as large as a page. */
const LateAutocomplete = lazyComponent<LineAutocompleteProps>(
  async () => (await import('./line-autocomplete.tsx')).LineAutocomplete,
  {
    before: ({ id, value }) => (
      <InputBox>
        <input id={id} readOnly dir="auto" value={value?.username ?? ''} />
      </InputBox>
    ),
    isPart: true,
  },
);

interface LineInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** The line whose id the field has at first. */
  initial: NamedLine | null;
}

/** A form field that stores a line's id, or none, and shows its name. */
export function LineInput<Values extends FieldValues, Output>(
  props: LineInputProps<Values, Output>,
) {
  const { initial } = props;
  const { field, frame, input } = useField(props);
  const [chosen, setChosen] = useState<NamedLine | null>(null);
  const known = [chosen, initial].find((line) => line?.id === field.value) ?? null;
  return (
    <FieldFrame {...frame}>
      <LateAutocomplete
        key={initial?.id}
        id={input.id}
        aria-describedby={input['aria-describedby']}
        value={known}
        onChange={(line) => {
          setChosen(line);
          field.onChange(line?.id);
        }}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
}
