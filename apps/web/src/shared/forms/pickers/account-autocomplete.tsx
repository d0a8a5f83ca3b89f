import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import Autocomplete from '@mui/material/Autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../api/call-query.ts';
import { useDebounced } from '../../browser/use-delayed.ts';
import type { NamedAccount } from '../../data/accounts.ts';
import { AppTheme } from '../../theme/app-theme.tsx';
import { TypedText } from '../../ui/typed-text.tsx';
import { InputBox } from '../fields/input-box.tsx';
import styles from './pickers.module.css';

const ACCOUNTS_OFFERED = 20;
const TYPING_PAUSE_MS = 250;

function foundAccountsQuery(q: string) {
  const query = { q, limit: ACCOUNTS_OFFERED, sort: 'email' };
  return callQuery('accounts', listAccounts, {
    query,
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
  });
}

export interface AccountAutocompleteProps {
  id: string;
  value: NamedAccount | null;
  onChange: (account: NamedAccount | null) => void;
  onBlur?: () => void;
  placeholder?: string | undefined;
  /** Takes the focus on mount. */
  autoFocus: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** Searches accounts by email or name on the server, since there may be too many for a list. */
export function AccountAutocomplete(props: AccountAutocompleteProps) {
  const { id, value, onChange, onBlur, placeholder, autoFocus } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value?.email ?? '');
  const paused = useDebounced(typed, TYPING_PAUSE_MS);
  // The email of the chosen account is not a search text, so the list opens with all accounts.
  const q = paused === value?.email ? '' : paused.trim();
  const { data: found = [], isFetching } = useQuery(foundAccountsQuery(q));
  return (
    <AppTheme>
      <Autocomplete<NamedAccount>
        id={id}
        options={found}
        value={value}
        inputValue={typed}
        onInputChange={(_, text) => setTyped(text)}
        onChange={(_, account) => onChange(account)}
        getOptionLabel={({ email }) => email}
        getOptionKey={(account) => account.id}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        filterOptions={(offered) => offered}
        selectOnFocus
        handleHomeEndKeys
        loading={isFetching}
        loadingText={t('loading')}
        noOptionsText={t('picker.noAccount')}
        slotProps={{ paper: { className: `floating ${styles.found}` } }}
        renderOption={({ key, ...option }, { email, full_name }) => (
          <li key={key} {...option}>
            <span>
              <TypedText>{email}</TypedText>
            </span>
            {full_name && (
              <small>
                <TypedText>{full_name}</TypedText>
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
