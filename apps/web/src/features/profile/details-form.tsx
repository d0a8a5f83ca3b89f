import { editMe } from '@linekeeper/contract/auth.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FieldFrame } from '../../shared/forms/field-frame.tsx';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import formStyles from '../../shared/forms/forms.module.css';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { useMe } from '../../shared/session.ts';
import { Card } from '../../shared/ui/card.tsx';
import { toast } from '../../shared/ui/toast.ts';
import styles from './profile-page.module.css';
import { useEditMe } from './queries.ts';

export function DetailsForm() {
  const { t } = useTranslation(['profile', 'common']);
  const me = useMe();
  const emailId = useId();
  const saving = useEditMe();
  const form = useContractForm({
    schema: editMe.body,
    defaultValues: { full_name: me.full_name, username: me.username },
  });
  useUnsavedGuard(form.formState.isDirty);
  const save = form.handleSubmit((values) =>
    saving.mutate(values, {
      onSuccess: ({ full_name, username }) => {
        form.reset({ full_name, username });
        toast.success(t('saved'));
      },
      onError: (error) => applyServerErrors(form, error),
    }),
  );
  return (
    <Card title={t('details')}>
      <form className={styles.form} noValidate onSubmit={save}>
        <FormErrorSummary form={form} />
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
        <FieldFrame
          id={emailId}
          helpId={`${emailId}-help`}
          label={t('email')}
          hint={t('emailHint')}
        >
          <div className={formStyles.box} data-disabled>
            <input
              id={emailId}
              aria-describedby={`${emailId}-help`}
              type="email"
              autoComplete="username"
              value={me.email}
              readOnly
            />
          </div>
        </FieldFrame>
        <div className={styles.actions}>
          <SubmitButton pending={saving.isPending}>{t('common:action.save')}</SubmitButton>
        </div>
      </form>
    </Card>
  );
}
