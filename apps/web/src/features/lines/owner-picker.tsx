import useAutocomplete from '@mui/material/useAutocomplete';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import formStyles from '../../shared/forms/forms.module.css';
import styles from './owner-picker.module.css';
import { ownersQuery } from './queries.ts';

export interface Owner {
  id: string;
  email: string;
  full_name?: string;
}

interface OwnerPickerProps {
  id: string;
  value: Owner | null;
  onChange: (owner: Owner | null) => void;
  onBlur?: () => void;
  placeholder?: string;
  /** Instead of a label that stands beside it. */
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

const TYPING_PAUSE_MS = 250;

function useOwners(typed: string): Owner[] {
  const [q, setQ] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return useQuery(ownersQuery(q)).data ?? [];
}

/** Finds an account by its address or name; there may be far too many for a list. */
export function OwnerPicker({
  id,
  value,
  onChange,
  onBlur,
  placeholder,
  ...aria
}: OwnerPickerProps) {
  const { t } = useTranslation('lines');
  const [typed, setTyped] = useState(value?.email ?? '');
  // The chosen address is no search: opened again, the list offers everybody.
  const owners = useOwners(typed === value?.email ? '' : typed.trim());
  const picker = useAutocomplete<Owner>({
    id,
    options: owners,
    value,
    inputValue: typed,
    onInputChange: (_, text) => setTyped(text),
    onChange: (_, owner) => onChange(owner),
    getOptionLabel: ({ email }) => email,
    isOptionEqualToValue: (one, other) => one.id === other.id,
    filterOptions: (found) => found,
    selectOnFocus: true,
    clearOnBlur: true,
    handleHomeEndKeys: true,
  });
  const { onBlur: leave, ...input } = picker.getInputProps();
  return (
    <div {...picker.getRootProps()} ref={picker.setAnchorEl} className={styles.picker}>
      <div className={formStyles.box} data-invalid={aria['aria-invalid'] || undefined}>
        <input
          {...input}
          {...aria}
          placeholder={placeholder}
          onBlur={(event) => {
            leave?.(event);
            onBlur?.();
          }}
        />
      </div>
      {picker.popupOpen && picker.groupedOptions.length === 0 && (
        <p className={styles.list} role="status">
          {t('owner.none')}
        </p>
      )}
      {picker.groupedOptions.length > 0 && (
        <ul {...picker.getListboxProps()} className={styles.list}>
          {picker.groupedOptions.map((option, index) => {
            const { key, ...props } = picker.getOptionProps({ option, index });
            return (
              <li key={key} {...props}>
                <span>{option.email}</span>
                {option.full_name && <small>{option.full_name}</small>}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
