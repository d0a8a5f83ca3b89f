import { cancelEmailChange, changeEmail } from '@linekeeper/contract/auth/email-change.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useMe } from '../../shared/data/session.ts';
import { formatMoment } from '../../shared/format/format-moment.ts';
import { PasswordInput } from '../../shared/forms/fields/password-input.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import styles from './profile-page.module.css';
import { emailChangeQuery } from './queries.ts';

/** Queries that a change of the address makes stale. */
const refreshes = ['email-change', 'me'] as const;
const empty = { new_email: '', current_password: '' };

export function EmailForm() {
  const { t } = useTranslation('profile');
  const { email } = useMe();
  const [mailedTo, setMailedTo] = useState<string>();
  const form = useContractForm({ schema: changeEmail.body, defaultValues: empty });
  const submission = useSubmit({
    form,
    command: useCommand(changeEmail, { refreshes, waits: true }),
    done: ({ confirmation_needed }, { new_email }) => {
      form.reset(empty);
      setMailedTo(confirmation_needed ? new_email : undefined);
      if (!confirmation_needed) toast.success(t('emailChanged'));
    },
    fieldOfCode: { WRONG_CURRENT_PASSWORD: 'current_password' },
  });
  return (
    <FormCard submission={submission} title={t('emailTitle')}>
      <p className={styles.text}>{t('emailText', { email })}</p>
      <WaitingChange mailedTo={mailedTo} onCancelled={() => setMailedTo(undefined)} />
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="new_email"
        label={t('newEmail')}
        hint={t('emailSessions')}
        type="email"
        autoComplete="email"
        spellCheck={false}
        required
      />
      <PasswordInput
        control={form.control}
        name="current_password"
        label={t('currentPassword')}
        autoComplete="current-password"
        required
      />
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('changeEmail')}</SubmitButton>
      </FormActions>
    </FormCard>
  );
}

interface WaitingChangeProps {
  /** Where a link was just sent. */
  mailedTo: string | undefined;
  onCancelled: () => void;
}

/** The change that waits to be confirmed, which can be given up. */
function WaitingChange({ mailedTo, onCancelled }: WaitingChangeProps) {
  const { t, i18n } = useTranslation('profile');
  const { data: waiting } = useQuery(emailChangeQuery());
  const cancel = useCommand(cancelEmailChange, {
    refreshes,
    waits: true,
    done: () => {
      onCancelled();
      toast.success(t('emailCancelled'));
    },
  });
  if (!waiting) return null;
  const { new_email, expires_at } = waiting;
  return (
    <div role="status">
      <Banner
        tone="info"
        title={
          mailedTo === new_email
            ? t('emailAsked', { email: new_email })
            : t('emailWaiting', { email: new_email })
        }
        action={
          <Button size="small" pending={cancel.isPending} onClick={() => void cancel.send()}>
            {t('emailCancel')}
          </Button>
        }
      >
        <p>{t('emailWaitingText', { moment: formatMoment(expires_at, i18n.language) })}</p>
      </Banner>
    </div>
  );
}
