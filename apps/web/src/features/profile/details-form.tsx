import { editMe } from '@linekeeper/contract/auth/auth.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useCacheAccount, useMe } from '../../shared/data/session.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';

export function DetailsForm() {
  const { t } = useTranslation('profile');
  const me = useMe();
  const form = useContractForm({
    schema: editMe.body,
    defaultValues: { full_name: me.full_name, username: me.username },
  });
  const cacheAccount = useCacheAccount();
  const submission = useSubmit({
    form,
    command: useCommand(editMe),
    done: (account) => {
      cacheAccount(account);
      const { full_name, username } = account;
      form.reset({ full_name, username });
      toast.success(t('saved'));
    },
  });
  return (
    <FormCard submission={submission} title={t('details')}>
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="full_name"
        label={t('fullName')}
        autoComplete="name"
      />
      <TextInput
        control={form.control}
        name="username"
        label={t('username')}
        autoComplete="off"
        required
      />
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
      </FormActions>
    </FormCard>
  );
}
