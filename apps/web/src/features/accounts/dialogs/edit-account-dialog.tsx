import { type Account, editAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { ADMIN_GROUP, RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useGroupName, useGroupOptions } from '#domain/accounts/groups.ts';
import { AS_ABOVE, usePriceLists } from '#features/accounts/use-price-lists.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import type { SelectOption } from '#kit/forms/fields/option-text.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useCan, useMe } from '#platform/data/session.ts';

const fields = editAccount.body
  .pick({ full_name: true, notes: true, group_id: true })
  .extend({ price_list_id: z.string() });

export function EditAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation(['account', 'errors']);
  const { full_name, group_id, price_list_id } = account;
  const name = full_name || account.email;
  const stored = {
    full_name,
    group_id,
    price_list_id: price_list_id ?? AS_ABOVE,
    notes: account.notes ?? '',
  };
  const { form, field, submission } = useCommandForm(editAccount, {
    schema: fields,
    params: { id: account.id },
    refreshes: ['accounts'],
    defaultValues: stored,
    bodyOf: (values, form) => {
      const {
        price_list_id: list,
        notes,
        ...body
      } = changedFields(values, form.getValues(), stored);
      return {
        ...body,
        ...(notes !== undefined && { notes: notes || null }),
        ...(list !== undefined && { price_list_id: list === AS_ABOVE ? null : list }),
      };
    },
    onClose,
    doneText: () => t('saved', { name }),
    fieldOfCode: {
      GROUP_NOT_FOUND: 'group_id',
      LAST_ADMIN: 'group_id',
      OWN_GROUP: 'group_id',
      PRICE_LIST_NOT_FOUND: 'price_list_id',
    },
  });
  const priceLists = usePriceLists(account);
  const isOwn = useMe().id === account.id;
  return (
    <FormDialog
      submission={submission}
      title={t('editOf', { name })}
      submitLabel={t('action.save')}
      blocked={form.formState.isDirty ? undefined : t('edit.change')}
      onClose={onClose}
    >
      <TextInput {...field('full_name')} label={t('field.fullName')} />
      <SelectInput
        {...field('group_id')}
        label={t('field.group')}
        hint={t(isOwn ? 'errors:OWN_GROUP' : 'edit.groupHint')}
        options={useOpenGroups(group_id)}
        disabled={isOwn}
      />
      {priceLists.length > 0 && (
        <SelectInput {...field('price_list_id')} label={t('credits.list')} options={priceLists} />
      )}
      <TextInput
        {...field('notes')}
        label={t('field.notes')}
        hint={t('edit.notesHint')}
        multiline
      />
      <Changes before={stored} after={form.watch()} priceLists={priceLists} />
    </FormDialog>
  );
}

/** The groups that the reader may choose for an account, and its present one. */
function useOpenGroups(group_id: string) {
  const { is_admin } = useMe();
  const managesAll = useCan(['manage_resellers']);
  return useGroupOptions().filter(
    ({ value }) =>
      value === group_id ||
      is_admin ||
      [RESELLER_GROUP, USER_GROUP].includes(value) ||
      (managesAll && value !== ADMIN_GROUP),
  );
}

const named = ['full_name', 'group_id', 'price_list_id'] as const;
type Values = Partial<Record<(typeof named)[number] | 'notes', string | null | undefined>>;
interface ChangesProps {
  before: Values;
  after: Values;
  priceLists: readonly SelectOption[];
}

/** Each changed field, with its present and its new value. */
function Changes({ before, after, priceLists }: ChangesProps) {
  const { t } = useTranslation('account');
  const groupName = useGroupName();
  const about = {
    full_name: { label: t('field.fullName'), nameOf: (value: string) => value },
    group_id: { label: t('field.group'), nameOf: groupName },
    price_list_id: {
      label: t('credits.list'),
      nameOf: (id: string) => priceLists.find(({ value }) => value === id)?.label,
    },
  };
  const rows = named.flatMap((field) => {
    const [from, to] = [before[field] ?? '', after[field] ?? ''];
    if (from === to) return [];
    const { label, nameOf } = about[field];
    const shown = (value: string) => nameOf(value) || '–';
    return [
      {
        label,
        value: (
          <>
            <span>
              <TypedText>{shown(from)}</TypedText>
            </span>
            <ArrowRight size={14} aria-hidden="true" />
            <TypedText>{shown(to)}</TypedText>
          </>
        ),
      },
    ];
  });
  return rows.length > 0 && <SummaryRows look="facts" rows={rows} />;
}
