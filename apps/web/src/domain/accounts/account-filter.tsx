import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterField } from '#kit/list/filters/filter-field.tsx';
import { ChoiceGroup } from '#kit/list/filters/filter-group.tsx';
import type { FilterControlProps } from '#kit/list/use-list.ts';
import { AccountPicker } from './account-picker.tsx';
import { type NamedAccount, useAccountText } from './accounts.ts';

/** Filters by any number of accounts: a removable entry for each, and a field to find another. */
export function AccountFilter({ name, values, onChange }: FilterControlProps) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState<NamedAccount[]>([]);
  const accountText = useAccountText(values);
  const textOf = (value: string) =>
    chosen.find((account) => account.id === value)?.email ?? accountText(value);
  const add = (owner: NamedAccount | null) => {
    if (!owner || values.includes(owner.id)) return;
    setChosen([...chosen, owner]);
    onChange([...values, owner.id]);
  };
  return (
    <>
      {values.length > 0 && (
        <ChoiceGroup
          title={name}
          options={values.map((value) => ({ value, label: textOf(value) }))}
          values={values}
          onChange={onChange}
        />
      )}
      <FilterField title={name} htmlFor={id} isTitled={values.length > 0}>
        <AccountPicker
          // A new key empties the field after each choice, for the next search.
          key={values.join()}
          id={id}
          value={null}
          placeholder={t('list.filter.any')}
          onChange={add}
        />
      </FilterField>
    </>
  );
}
