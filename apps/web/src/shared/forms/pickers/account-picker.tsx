import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import Autocomplete from '@mui/material/Autocomplete';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { AppTheme } from '../../theme/app-theme.tsx';
import { useDebounced } from '../../timing/use-debounced.ts';
import { TypedText } from '../../ui/typed-text.tsx';
import { FieldFrame } from '../fields/field-frame.tsx';
import { type FieldProps, useField } from '../fields/use-field.ts';
import formStyles from '../forms.module.css';
import styles from './account-picker.module.css';
import type { NamedAccount } from './use-account.ts';

const ACCOUNTS_OFFERED = 20;
const TYPING_PAUSE_MS = 250;

function foundAccountsQuery(q: string) {
  const query = { q, limit: ACCOUNTS_OFFERED, sort: 'email' };
  return queryOptions({
    queryKey: ['accounts', 'found', q],
    queryFn: async ({ signal }) => (await call(listAccounts, { query }, { signal })).items,
    placeholderData: keepPreviousData,
  });
}

interface AccountPickerProps {
  id: string;
  value: NamedAccount | null;
  onChange: (account: NamedAccount | null) => void;
  onBlur?: () => void;
  placeholder?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** Searches accounts by email or name on the server, since there may be too many for a list. */
export function AccountPicker(props: AccountPickerProps) {
  const { id, value, onChange, onBlur, placeholder, ...aria } = props;
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
        slotProps={{ paper: { className: styles.found ?? '' } }}
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
          <div
            ref={input.ref}
            className={formStyles.box}
            data-invalid={aria['aria-invalid'] || undefined}
          >
            <input
              {...htmlInput}
              {...aria}
              dir="auto"
              placeholder={placeholder}
              onBlur={(event) => {
                htmlInput.onBlur?.(event);
                onBlur?.();
              }}
            />
          </div>
        )}
      />
    </AppTheme>
  );
}

interface AccountInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** The chosen account, whose name is known before any search. */
  initial: NamedAccount | null;
}

/** A form field that stores an account's id and shows its email. */
export function AccountInput<Values extends FieldValues, Output>(
  props: AccountInputProps<Values, Output>,
) {
  const { initial } = props;
  const { field, frame, input } = useField(props);
  const [chosen, setChosen] = useState(initial);
  const known = [chosen, initial].find((account) => account?.id === field.value) ?? null;
  const choose = (account: NamedAccount | null) => {
    setChosen(account);
    // Every line has an owner, so an empty field restores the initial one.
    field.onChange(account?.id ?? initial?.id);
  };
  return (
    <FieldFrame {...frame}>
      <AccountPicker
        id={input.id}
        aria-describedby={input['aria-describedby']}
        aria-invalid={input['aria-invalid']}
        value={known}
        onChange={choose}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
}
