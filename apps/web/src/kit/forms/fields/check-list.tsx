import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { type FieldProps, useField } from './use-field.ts';

interface CheckListProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  options: readonly { value: string; label: string; text?: string }[];
}

/** A field of several options, each with a checkbox; its value has those that are checked, in the order of the options. */
export function CheckList<Values extends FieldValues, Output>({
  options,
  ...props
}: CheckListProps<Values, Output>) {
  const id = useId();
  const { field, frame } = useField(props);
  const chosen: readonly string[] = field.value ?? [];
  const choose = (value: string, isChosen: boolean) =>
    field.onChange(
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? isChosen : chosen.includes(one))),
    );
  return (
    <fieldset aria-labelledby={id} tabIndex={-1} ref={field.ref} aria-describedby={frame.helpId}>
      <span className="type-strong" id={id}>
        {frame.label}
      </span>
      {frame.hint && <p className="text-text-2 type-caption">{frame.hint}</p>}
      <div className="mt-1">
        {options.map(({ value, label, text }) => (
          <CheckboxField
            key={value}
            checked={chosen.includes(value)}
            onChange={(isChosen) => choose(value, isChosen)}
          >
            {label}
            {text && <small className="block text-text-2 type-caption">{text}</small>}
          </CheckboxField>
        ))}
      </div>
      {frame.errorText && (
        <p id={frame.helpId} className="flex items-center gap-1.5 mt-2 text-error-fg type-caption">
          <CircleAlert size={14} />
          {frame.errorText}
        </p>
      )}
    </fieldset>
  );
}
