import { changePassword } from '@linekeeper/contract/auth.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields.ts';
import { useTranslation } from 'react-i18next';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './profile-page.module.css';
import { useChangePassword } from './queries.ts';

const empty = { current_password: '', new_password: '' };

export function PasswordForm() {
  const { t } = useTranslation('profile');
  const changing = useChangePassword();
  const form = useContractForm({ schema: changePassword.body, defaultValues: empty });
  useUnsavedGuard(form.formState.isDirty);
  const change = form.handleSubmit((values) =>
    changing.mutate(values, {
      onSuccess: () => form.reset(empty),
      onError: (error) =>
        applyServerErrors(form, error, {
          WRONG_CURRENT_PASSWORD: 'current_password',
          PASSWORD_TOO_COMMON: 'new_password',
        }),
    }),
  );
  return (
    <Card title={t('passwordTitle')}>
      <form className={styles.form} noValidate onSubmit={change}>
        <FormErrorSummary form={form} />
        {changing.isSuccess && (
          <div role="status">
            <Banner tone="success" title={t('passwordChanged')} />
          </div>
        )}
        <PasswordInput
          control={form.control}
          name="current_password"
          label={t('currentPassword')}
          autoComplete="current-password"
          required
        />
        <PasswordInput
          control={form.control}
          name="new_password"
          label={t('newPassword')}
          hint={t('newPasswordHint', { minimum: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          required
        />
        <div className={styles.actions}>
          <SubmitButton pending={changing.isPending}>{t('changePassword')}</SubmitButton>
        </div>
      </form>
    </Card>
  );
}
