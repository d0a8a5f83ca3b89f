import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import Autocomplete from '@mui/material/Autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../api/call-query.ts';
import { useDebounced } from '../../browser/use-delayed.ts';
import { AppTheme } from '../../theme/app-theme.tsx';
import { TypedText } from '../../ui/typed-text.tsx';
import { InputBox } from '../fields/input-box.tsx';
import styles from './pickers.module.css';

export type NamedLine = Pick<Line, 'id' | 'username'>;

const LINES_OFFERED = 20;
const TYPING_PAUSE_MS = 250;

function foundLinesQuery(q: string) {
  return callQuery('lines', listLines, {
    query: { q, limit: LINES_OFFERED, sort: '-added_date' },
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
  });
}

export interface LineAutocompleteProps {
  id: string;
  value: NamedLine | null;
  onChange: (line: NamedLine | null) => void;
  onBlur: () => void;
  'aria-describedby'?: string | undefined;
}

/** Searches lines as their list does. */
export function LineAutocomplete({ id, value, onChange, onBlur, ...rest }: LineAutocompleteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value?.username ?? '');
  const paused = useDebounced(typed, TYPING_PAUSE_MS);
  const q = paused === value?.username ? '' : paused.trim();
  const { data: found = [], isFetching } = useQuery(foundLinesQuery(q));
  return (
    <AppTheme>
      <Autocomplete<NamedLine>
        id={id}
        options={found}
        value={value}
        inputValue={typed}
        onInputChange={(_, text) => setTyped(text)}
        onChange={(_, line) => onChange(line)}
        getOptionLabel={({ username }) => username}
        getOptionKey={(line) => line.id}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        filterOptions={(offered) => offered}
        selectOnFocus
        handleHomeEndKeys
        loading={isFetching}
        loadingText={t('loading')}
        noOptionsText={t('picker.noLine')}
        slotProps={{ paper: { className: `floating ${styles.found}` } }}
        renderOption={({ key, ...option }, { username }) => (
          <li key={key} {...option}>
            <span>
              <TypedText>{username}</TypedText>
            </span>
          </li>
        )}
        renderInput={({ slotProps: { input, htmlInput } }) => (
          <InputBox ref={input.ref}>
            <input
              {...htmlInput}
              aria-describedby={rest['aria-describedby']}
              dir="auto"
              onBlur={(event) => {
                htmlInput.onBlur?.(event);
                onBlur();
              }}
            />
          </InputBox>
        )}
      />
    </AppTheme>
  );
}
