import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { NamedAccount } from '../../data/accounts.ts';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { FieldFrame } from '../fields/field-frame.tsx';
import { InputBox } from '../fields/input-box.tsx';
import { type FieldProps, useField } from '../fields/use-field.ts';
import type { AccountAutocompleteProps } from './account-autocomplete.tsx';

interface LateProps extends AccountAutocompleteProps {
  /** Fetched no sooner than somebody comes near: for a field of a page that has many. */
  isLate?: boolean | undefined;
  /** Called before the search is there. */
  onFocus: (isFocused: boolean) => void;
}

/** Fetched after what it stands in, because its library is as large as a page. */
const LateAutocomplete = lazyComponent<LateProps>(
  async () => (await import('./account-autocomplete.tsx')).AccountAutocomplete,
  {
    before: ({ id, value, placeholder, onFocus, ...props }) => (
      <InputBox isInvalid={props['aria-invalid']}>
        <input
          id={id}
          role="combobox"
          aria-expanded={false}
          aria-invalid={props['aria-invalid']}
          readOnly
          dir="auto"
          value={value?.email ?? ''}
          placeholder={placeholder}
          aria-describedby={props['aria-describedby']}
          onPointerEnter={LateAutocomplete.fetch}
          onFocus={() => {
            LateAutocomplete.fetch();
            onFocus(true);
          }}
          onBlur={() => onFocus(false)}
        />
      </InputBox>
    ),
    isPart: true,
    isOpen: ({ isLate }) => !isLate,
  },
);

type AccountPickerProps = Omit<LateProps, 'autoFocus' | 'onFocus'>;

/** Searches accounts by email or name on the server, since there may be too many for a list. */
export function AccountPicker(props: AccountPickerProps) {
  const [isFocused, setFocused] = useState(false);
  return <LateAutocomplete {...props} autoFocus={isFocused} onFocus={setFocused} />;
}

interface AccountInputProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output>,
    Pick<AccountPickerProps, 'isLate'> {
  /** The chosen account, whose name is known before any search. */
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
