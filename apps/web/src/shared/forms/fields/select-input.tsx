import InputBase from '@mui/material/InputBase';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { ChevronDown } from 'lucide-react';
import type { MouseEvent, Ref } from 'react';
import type { FieldValues } from 'react-hook-form';
import { AppTheme } from '../../theme/app-theme.tsx';
import styles from '../forms.module.css';
import { FieldFrame } from './field-frame.tsx';
import { OptionText, type SelectOption } from './option-text.tsx';
import { type FieldProps, useField } from './use-field.ts';

export interface SelectInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output> {
  options: readonly SelectOption[];
  placeholder?: string;
}

/**
 * Pressing the box opens the list under the pointer, so the release fires a click on their common
 * ancestor, the box. That click would move the focus back to the box, and the list would get no
 * keys.
 */
function ignoreOwnClick(event: MouseEvent): void {
  if (event.target === event.currentTarget) event.stopPropagation();
}

interface SelectBoxProps {
  value: string;
  onChange: (value: string | undefined) => void;
  options: readonly SelectOption[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  name?: string;
  onBlur?: () => void;
  inputRef?: Ref<HTMLInputElement>;
  id: string;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** The select without its label, whose element must have the id `{id}-label`. */
export function SelectBox(props: SelectBoxProps) {
  const { value, onChange, options, placeholder, disabled = false, id } = props;
  return (
    <AppTheme>
      <Select
        displayEmpty
        {...(props.name === undefined ? {} : { name: props.name })}
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
        onBlur={props.onBlur}
        inputRef={props.inputRef}
        disabled={disabled}
        labelId={`${id}-label`}
        error={Boolean(props['aria-invalid'])}
        IconComponent={ChevronDown}
        // Rendered inside the main landmark, where assistive technology expects the parts of a
        // form.
        MenuProps={{ disablePortal: true }}
        input={<InputBase className={styles.selectBox} onClickCapture={ignoreOwnClick} />}
        SelectDisplayProps={{
          id,
          'aria-describedby': props['aria-describedby'],
          'aria-required': props['aria-required'],
          'aria-invalid': props['aria-invalid'],
        }}
        renderValue={(shown) => {
          const chosen = options.find((option) => option.value === shown);
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
    </AppTheme>
  );
}

export function SelectInput<Values extends FieldValues, Output>(
  props: SelectInputProps<Values, Output>,
) {
  const { options, placeholder, disabled } = props;
  const { field, frame, input } = useField(props);
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        name={field.name}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        options={options}
        placeholder={placeholder}
        disabled={disabled}
      />
    </FieldFrame>
  );
}
