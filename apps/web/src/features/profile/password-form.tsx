import { changePassword } from '@linekeeper/contract/auth/auth.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields/fields.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useMe } from '../../shared/data/session.ts';
import { PasswordInput } from '../../shared/forms/fields/password-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { lazyComponent } from '../../shared/start/lazy-component.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';

const StrengthMeter = lazyComponent(
  async () => (await import('./strength-meter.tsx')).StrengthMeter,
  { isPart: true },
);

const empty = { current_password: '', new_password: '' };

export function PasswordForm() {
  const { t } = useTranslation('profile');
  const { email } = useMe();
  const form = useContractForm({ schema: changePassword.body, defaultValues: empty });
  const newPassword = form.watch('new_password');
  const submission = useSubmit({
    form,
    command: useCommand(changePassword),
    done: () => form.reset(empty),
    fieldOfCode: {
      WRONG_CURRENT_PASSWORD: 'current_password',
      PASSWORD_TOO_COMMON: 'new_password',
    },
  });
  return (
    <FormCard submission={submission} title={t('passwordTitle')}>
      <FormProblems form={form} />
      {submission.isDone && (
        <div role="status">
          <Banner tone="success" title={t('passwordChanged')} />
        </div>
      )}
      {/* Tells password managers whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
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
      {newPassword !== '' && <StrengthMeter password={newPassword} />}
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('changePassword')}</SubmitButton>
      </FormActions>
    </FormCard>
  );
}
