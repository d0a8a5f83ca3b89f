import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import {
  type Found,
  OFFERED,
  type PickerProps,
  SearchPicker,
} from '#kit/forms/pickers/search-picker.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import type { NamedAccount } from './accounts.ts';

const asFound = ({ id, email, full_name }: NamedAccount): Found => ({
  id,
  label: email,
  about: full_name,
});

const useFoundAccounts = (q: string) =>
  useQuery(
    callQuery('accounts', listAccounts, {
      query: { q, limit: OFFERED, sort: 'email' },
      select: ({ items }) => items.map(asFound),
      placeholderData: keepPreviousData,
    }),
  );

interface AccountPickerProps extends PickerProps {
  value: NamedAccount | null;
  onChange: (account: NamedAccount | null) => void;
}

/** The input that finds an account by its email or name. */
export function AccountPicker({ value, onChange, ...props }: AccountPickerProps) {
  const { t } = useTranslation();
  return (
    <SearchPicker
      {...props}
      value={value && asFound(value)}
      onChange={(found) =>
        onChange(found && { id: found.id, email: found.label, full_name: found.about ?? '' })
      }
      useFound={useFoundAccounts}
      nothing={t('picker.noAccount')}
    />
  );
}

interface AccountInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output>,
    Pick<AccountPickerProps, 'isLate'> {
  /** The account that is chosen at first, whose name is known before any search. */
  initial: NamedAccount | null;
}

/** A form field that stores an account's id and shows its email. */
export function AccountInput<Values extends FieldValues, Output>(
  props: AccountInputProps<Values, Output>,
) {
  const { initial, isLate } = props;
  const { field, frame, input } = useField(props, { isChoice: true });
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
        isLate={isLate}
        aria-describedby={input['aria-describedby']}
        aria-invalid={input['aria-invalid']}
        value={known}
        onChange={choose}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
}
