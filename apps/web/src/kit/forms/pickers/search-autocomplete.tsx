import Autocomplete from '@mui/material/Autocomplete';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { AppTheme } from '#kit/theme/app-theme.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import styles from './pickers.module.css';

const TYPING_PAUSE_MS = 250;

/** One of what is searched. */
export interface Found {
  id: string;
  label: string;
  /** Stands beside the label. */
  about?: string | undefined;
}

export interface SearchAutocompleteProps {
  id: string;
  value: Found | null;
  onChange: (found: Found | null) => void;
  onBlur?: (() => void) | undefined;
  /** Asks the panel; an empty text finds the first of all. */
  useFound: (q: string) => { data?: Found[] | undefined; isFetching: boolean };
  /** Said where nothing is found. */
  nothing: string;
  placeholder?: string | undefined;
  /** Takes the focus on mount. */
  autoFocus: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** Searches on the server while somebody types, since there may be too many for a list. */
export function SearchAutocomplete(props: SearchAutocompleteProps) {
  const { id, value, onChange, onBlur, useFound, nothing, placeholder, autoFocus } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value?.label ?? '');
  const paused = useDebounced(typed, TYPING_PAUSE_MS);
  // The label of the choice is not a search text, so the list opens with the first of all.
  const { data: found = [], isFetching } = useFound(paused === value?.label ? '' : paused.trim());
  return (
    <AppTheme>
      <Autocomplete<Found>
        id={id}
        options={found}
        value={value}
        inputValue={typed}
        onInputChange={(_, text) => setTyped(text)}
        onChange={(_, chosen) => onChange(chosen)}
        getOptionLabel={({ label }) => label}
        getOptionKey={(one) => one.id}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        filterOptions={(offered) => offered}
        selectOnFocus
        handleHomeEndKeys
        loading={isFetching}
        loadingText={t('loading')}
        noOptionsText={nothing}
        slotProps={{ paper: { className: `floating ${styles.found}` } }}
        renderOption={({ key, ...option }, { label, about }) => (
          <li key={key} {...option}>
            <span>
              <TypedText>{label}</TypedText>
            </span>
            {about && (
              <small>
                <TypedText>{about}</TypedText>
              </small>
            )}
          </li>
        )}
        renderInput={({ slotProps: { input, htmlInput } }) => (
          <InputBox ref={input.ref} isInvalid={props['aria-invalid']}>
            <input
              {...htmlInput}
              aria-describedby={props['aria-describedby']}
              aria-invalid={props['aria-invalid']}
              dir="auto"
              // biome-ignore lint/a11y/noAutofocus: keeps the focus of the field whose place it takes
              autoFocus={autoFocus}
              placeholder={placeholder}
              onBlur={(event) => {
                htmlInput.onBlur?.(event);
                onBlur?.();
              }}
            />
          </InputBox>
        )}
      />
    </AppTheme>
  );
}
