import { type Account, editAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import { accountQuery, type NamedAccount } from '#domain/accounts/accounts.ts';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { useField } from '#kit/forms/fields/use-field.ts';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

interface Place {
  owner_id?: string | null | undefined;
}

export function MoveAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('account');
  const name = account.full_name || account.email;
  const { owner_id } = account;
  const owner = useQuery({ ...accountQuery(owner_id ?? ''), enabled: owner_id !== null }).data;
  const { form, submission } = useCommandForm(editAccount, {
    params: { id: account.id },
    refreshes: ['accounts'],
    defaultValues: { owner_id },
    onClose,
    doneText: () => t('move.done', { name }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('move.title', { name })}
      text={t('move.text')}
      submitLabel={t('acts.move')}
      blocked={form.formState.isDirty ? undefined : t('move.choose')}
      onClose={onClose}
    >
      {/* The owner's name is known after a moment, and a new key resets the field with it. */}
      <OwnerField key={owner?.id} control={form.control} initial={owner ?? null} />
      <Moving account={account} owner={owner} />
    </FormDialog>
  );
}

interface OwnerFieldProps {
  control: Control<Place, unknown, Place>;
  initial: NamedAccount | null;
}

/** The field for the new owner; empty for no account above. */
function OwnerField({ control, initial }: OwnerFieldProps) {
  const { t } = useTranslation('account');
  const { field, frame, input } = useField({
    control,
    name: 'owner_id',
    label: t('move.owner'),
    hint: t('move.ownerHint'),
  });
  const [chosen, setChosen] = useState(initial);
  return (
    <FieldFrame {...frame}>
      <AccountPicker
        id={input.id}
        aria-describedby={input['aria-describedby']}
        aria-invalid={input['aria-invalid']}
        value={chosen}
        placeholder={t('field.nobody')}
        onChange={(account) => {
          setChosen(account);
          field.onChange(account?.id ?? null);
        }}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
}

/** The account's present owner, and the lines and accounts that move with it. */
function Moving({ account, owner }: { account: Account; owner: NamedAccount | undefined }) {
  const { t } = useTranslation('account');
  const { data: figures } = useQuery(accountFiguresQuery(account.id));
  const number = (value: number | undefined) =>
    value === undefined ? '–' : t('number', { value });
  return (
    <SummaryRows
      look="facts"
      rows={[
        {
          label: t('move.until'),
          value: account.owner_id === null ? t('field.nobody') : <OwnerName owner={owner} />,
        },
        { label: t('move.accounts'), value: number(account.subtree_count) },
        {
          label: t('move.lines'),
          value: number(figures && figures.lines_below + account.line_count),
        },
        {
          label: t('move.credits'),
          value: number(figures && figures.credits_below + account.credits),
        },
      ]}
    />
  );
}

function OwnerName({ owner }: { owner: NamedAccount | undefined }) {
  return owner ? <TypedText>{owner.full_name || owner.email}</TypedText> : '–';
}
