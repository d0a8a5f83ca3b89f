import { createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields/fields.ts';
import { ADMIN_GROUP, RESELLER_GROUP } from '@linekeeper/contract/permissions.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useGroupOptions } from '../../shared/data/groups.ts';
import { useMe } from '../../shared/data/session.ts';
import { SelectInput } from '../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { PasswordField } from '../../shared/forms/pickers/password-field.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { useScreen } from '../../shared/layout/use-screen.ts';
import { toast } from '../../shared/state/toast.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';

const newAccount = {
  email: '',
  password: '',
  full_name: '',
  group_id: RESELLER_GROUP,
  credits: 0,
  notes: '',
};

/** Stands below each of the two lists of accounts, and leads back to its own. */
export function AddAccountPage() {
  const { t } = useTranslation('accounts');
  const navigate = useNavigate();
  const { is_admin } = useMe();
  const listPath = useScreen().parent === 'resellers' ? '/resellers' : '/accounts';
  // Only an administrator makes another.
  const groups = useGroupOptions().filter(({ value }) => is_admin || value !== ADMIN_GROUP);
  const form = useContractForm({ schema: createAccount.body, defaultValues: newAccount });
  const { control } = form;
  const submission = useSubmit({
    form,
    command: useCommand(createAccount, { refreshes: ['accounts'] }),
    done: ({ account }) => {
      toast.success(t('add.done', { email: account.email }));
      return navigate({ to: listPath });
    },
    fieldOfCode: {
      EMAIL_EXISTS: 'email',
      GROUP_NOT_FOUND: 'group_id',
      INSUFFICIENT_CREDITS: 'credits',
    },
  });
  const generated = (password: string) =>
    form.setValue('password', password, { shouldDirty: true, shouldValidate: true });
  return (
    <>
      <PageHeader />
      <FormCard submission={submission} label={t('addAccount')}>
        <FormProblems form={form} />
        <TextInput
          control={control}
          name="email"
          label={t('add.email')}
          type="email"
          autoComplete="off"
          required
        />
        <PasswordField
          control={control}
          name="password"
          label={t('add.password')}
          hint={t('add.passwordHint', { minimum: MIN_PASSWORD_LENGTH })}
          onGenerate={generated}
          required
        />
        <TextInput control={control} name="full_name" label={t('add.fullName')} />
        <SelectInput control={control} name="group_id" label={t('add.group')} options={groups} />
        <TextInput
          control={control}
          name="credits"
          label={t('add.credits')}
          hint={t(is_admin ? 'add.creditsHint' : 'add.ownCreditsHint')}
          type="number"
        />
        <TextInput control={control} name="notes" label={t('add.notes')} multiline />
        <FormActions>
          <SubmitButton pending={submission.isPending}>{t('addAccount')}</SubmitButton>
          <ButtonLink to={listPath}>{t('action.cancel')}</ButtonLink>
        </FormActions>
      </FormCard>
    </>
  );
}
