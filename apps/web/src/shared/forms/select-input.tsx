import InputBase from '@mui/material/InputBase';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { ChevronDown } from 'lucide-react';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from './field-frame.tsx';
import styles from './forms.module.css';
import { type FieldProps, useField } from './use-field.ts';

export interface SelectOption {
  value: string;
  label: string;
  /** Quiet words beside the label. */
  description?: string;
  /** A dot before the label. */
  tone?: 'success' | 'warning' | 'error' | 'neutral';
  disabled?: boolean;
}

interface SelectInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  options: readonly SelectOption[];
  /** Shown while nothing is chosen. */
  placeholder?: string;
}

function OptionText({ option }: { option: SelectOption }) {
  return (
    <span className={styles.option}>
      {option.tone && <span className={styles.dot} data-tone={option.tone} />}
      <span>{option.label}</span>
      {option.description && <span className={styles.quiet}>{option.description}</span>}
    </span>
  );
}

export function SelectInput<Values extends FieldValues, Output>(
  props: SelectInputProps<Values, Output>,
) {
  const { options, placeholder } = props;
  const { field, frame, input } = useField(props);
  return (
    <FieldFrame {...frame}>
      <Select
        displayEmpty
        name={field.name}
        value={field.value ?? ''}
        onChange={(event) => field.onChange(event.target.value || undefined)}
        onBlur={field.onBlur}
        inputRef={field.ref}
        disabled={props.disabled ?? false}
        labelId={`${input.id}-label`}
        error={Boolean(frame.errorText)}
        IconComponent={ChevronDown}
        // Inside the page's main part, where assistive technology looks for a form's parts.
        MenuProps={{ disablePortal: true }}
        input={<InputBase className={styles.selectBox} />}
        SelectDisplayProps={{
          id: input.id,
          'aria-describedby': input['aria-describedby'],
          'aria-required': input['aria-required'],
          'aria-invalid': input['aria-invalid'],
        }}
        renderValue={(value) => {
          const chosen = options.find((option) => option.value === value);
          if (chosen) return <OptionText option={chosen} />;
          return <span className={styles.quiet}>{placeholder}</span>;
        }}
      >
        {options.map((option) => (
          <MenuItem key={option.value} value={option.value} disabled={option.disabled ?? false}>
            <OptionText option={option} />
          </MenuItem>
        ))}
      </Select>
    </FieldFrame>
  );
}
