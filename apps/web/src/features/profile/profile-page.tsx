import { getSellerTexts } from '@linekeeper/contract/accounts/seller-texts.ts';
import { changePassword, editMe } from '@linekeeper/contract/auth/auth.ts';
import { cancelEmailChange, changeEmail } from '@linekeeper/contract/auth/email-change.ts';
import { MIN_PASSWORD_LENGTH } from '@linekeeper/contract/fields/fields.ts';
import { useQuery } from '@tanstack/react-query';
import {
  CircleUserRound,
  Code,
  Lock,
  Mail,
  MessageSquareText,
  MonitorSmartphone,
  ShieldCheck,
  Webhook,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { CurrentPassword, PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormCard } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Sections } from '#kit/page/sections.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useCacheAccount, useCan, useMe } from '#platform/data/session.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { ownScreens } from '#screens/own-screens.ts';
import { AccessCard, AccessText } from './access-card.tsx';
import { ApiKeysCard } from './api-keys/api-keys-card.tsx';
import { emailChangeQuery } from './queries.ts';
import { SessionsCard } from './sessions/sessions-card.tsx';
import { TwoFactorCard } from './two-factor/two-factor-card.tsx';

export function ProfilePage() {
  const { t } = useTranslation('profile');
  const sections = [
    { id: 'details', text: t('sections.details'), icon: CircleUserRound, content: <DetailsForm /> },
    { id: 'email', text: t('field.email'), icon: Mail, content: <EmailForm /> },
    { id: 'password', text: t('field.password'), icon: Lock, content: <PasswordForm /> },
    {
      id: 'two-factor',
      text: t('sections.twoFactor'),
      icon: ShieldCheck,
      content: <TwoFactorCard />,
    },
    {
      id: 'sessions',
      text: t('sessions.title'),
      icon: MonitorSmartphone,
      content: <SessionsCard />,
    },
    { id: 'api-keys', text: t('apiKeys.title'), icon: Code, content: <ApiKeysCard /> },
    ...(useCan(ownScreens.webhooks.access)
      ? [{ id: 'webhooks', text: t('nav.webhooks'), icon: Webhook, content: <WebhooksLink /> }]
      : []),
  ];
  const sells = useCan(getSellerTexts.access);
  return (
    <>
      <PageHeader
        actions={
          sells && (
            <ButtonLink to="/profile/texts" icon={<MessageSquareText aria-hidden="true" />}>
              {t('nav.texts')}
            </ButtonLink>
          )
        }
      />
      <Sections sections={sections} />
    </>
  );
}

function WebhooksLink() {
  const { t } = useTranslation('profile');
  return (
    <AccessCard
      title={t('nav.webhooks')}
      action={<ButtonLink to="/profile/webhooks">{t('webhooksManage')}</ButtonLink>}
    >
      <AccessText>{t('webhooksHint')}</AccessText>
    </AccessCard>
  );
}

function DetailsForm() {
  const { t } = useTranslation('profile');
  const me = useMe();
  const cacheAccount = useCacheAccount();
  const { field, submission } = useCommandForm(editMe, {
    defaultValues: { full_name: me.full_name, username: me.username },
    done: (account, _, form) => {
      cacheAccount(account);
      const { full_name, username } = account;
      form.reset({ full_name, username });
    },
    doneText: () => t('saved'),
  });
  return (
    <FormCard submission={submission} title={t('details')} submitLabel={t('action.save')}>
      <TextInput {...field('full_name')} label={t('field.fullName')} autoComplete="name" />
      <TextInput {...field('username')} label={t('field.username')} autoComplete="off" required />
    </FormCard>
  );
}

const StrengthMeter = lazyPart(() => import('./strength-meter.tsx'), 'StrengthMeter', {
  isPart: true,
});

const emptyPassword = { current_password: '', new_password: '' };

function PasswordForm() {
  const { t } = useTranslation('profile');
  const { email } = useMe();
  const { form, field, submission } = useCommandForm(changePassword, {
    defaultValues: emptyPassword,
    done: (_reply, _content, form) => form.reset(emptyPassword),
    fieldOfCode: {
      WRONG_CURRENT_PASSWORD: 'current_password',
      PASSWORD_TOO_COMMON: 'new_password',
    },
  });
  const newPassword = form.watch('new_password');
  return (
    <FormCard submission={submission} title={t('passwordTitle')} submitLabel={t('passwordTitle')}>
      {submission.isDone && (
        <div role="status">
          <Banner tone="success" title={t('passwordChanged')} />
        </div>
      )}
      {/* The hidden field tells password managers to whom the password belongs. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <CurrentPassword {...field('current_password')} label={t('currentPassword')} />
      <PasswordInput
        {...field('new_password')}
        label={t('field.newPassword')}
        hint={t('newPasswordHint', { minimum: MIN_PASSWORD_LENGTH })}
        autoComplete="new-password"
        required
      />
      {newPassword !== '' && <StrengthMeter password={newPassword} />}
    </FormCard>
  );
}

/** Queries that a change of the address makes stale. */
const refreshes = ['email-change', 'me'] as const;
const emptyEmail = { new_email: '', current_password: '' };

function EmailForm() {
  const { t } = useTranslation('profile');
  const { email } = useMe();
  const { form, field, submission } = useCommandForm(changeEmail, {
    refreshes,
    waits: true,
    defaultValues: emptyEmail,
    done: ({ confirmation_needed }, _content, form) => {
      form.reset(emptyEmail);
      if (!confirmation_needed) results.success(t('emailChanged'));
    },
    fieldOfCode: { WRONG_CURRENT_PASSWORD: 'current_password' },
  });
  return (
    <FormCard
      submission={submission}
      title={t('emailTitle')}
      problems={null}
      submitLabel={t('changeEmail')}
    >
      <p className="text-text-2 min-w-0 wrap-anywhere">{email}</p>
      <WaitingChange />
      <FormProblems form={form} />
      <TextInput
        {...field('new_email')}
        label={t('newEmail')}
        hint={t('emailSessions')}
        type="email"
        autoComplete="email"
        spellCheck={false}
        required
      />
      <CurrentPassword {...field('current_password')} label={t('currentPassword')} />
    </FormCard>
  );
}

/** A change of address that waits for its confirmation, with a button to cancel it. */
function WaitingChange() {
  const { t, i18n } = useTranslation('profile');
  const { data: waiting } = useQuery(emailChangeQuery());
  const cancel = useCommand(cancelEmailChange, {
    refreshes,
    waits: true,
    doneText: () => t('emailCancelled'),
  });
  if (!waiting) return null;
  const { new_email, expires_at } = waiting;
  return (
    <div role="status">
      <Banner
        tone="info"
        title={t('emailWaiting', { email: new_email })}
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
