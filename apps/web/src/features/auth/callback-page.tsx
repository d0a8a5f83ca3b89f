import { confirmEmail } from '@linekeeper/contract/auth/auth.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CurrentPassword } from '#kit/forms/fields/password-input.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { ApiError, call } from '#platform/api/client.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { Outcome } from './outcome.tsx';
import { rememberEmail } from './remembered-email.ts';
import { VisitorForm } from './visitor-form.tsx';

export function CallbackPage() {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const { token, error: refused } = useSearch({ from: '/callback' });
  const queries = useQueryClient();
  const queryKey = ['confirm-email', token] as const;
  // This is a query and not a mutation, so that the token is sent once even if the page renders several times.
  const confirming = useQuery({
    queryKey,
    queryFn: async () => {
      const reply = await call(confirmEmail, { body: { token: token ?? '' } });
      remember(reply);
      return reply;
    },
    enabled: Boolean(token) && !refused,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

  if (confirming.isFetching)
    return <VisitorFrame title={t('callback.confirming')}>{null}</VisitorFrame>;
  if (confirming.isSuccess) {
    return confirming.data.email_changed ? (
      <Outcome title={t('callback.changedTitle')} />
    ) : (
      <Outcome title={t('callback.confirmedTitle')} />
    );
  }
  if (confirming.error instanceof ApiError && confirming.error.code === 'SIGN_UP_PASSWORD_NEEDED') {
    return (
      <VisitorFrame title={t('callback.passwordTitle')} intro={t('callback.passwordText')}>
        <PasswordForm
          token={token ?? ''}
          onConfirmed={(reply) => {
            remember(reply);
            queries.setQueryData(queryKey, reply);
          }}
          onEnded={() => void confirming.refetch()}
        />
      </VisitorFrame>
    );
  }
  const isUnanswered = confirming.error instanceof ApiError && confirming.error.status !== 422;
  const text = isUnanswered ? errorText(confirming.error) : t('callback.failedText');
  return <Outcome title={t('callback.failedTitle')} text={text} other={<NewPasswordLink />} />;
}

type Confirmed = Awaited<ReturnType<typeof call<typeof confirmEmail>>>;

/** Remembers the confirmed address for the sign-in form, which follows. */
function remember({ email }: Confirmed): void {
  if (email) rememberEmail(email);
}

/** The link for the mailbox's owner to a new password, if somebody else signed up with the address. */
function NewPasswordLink() {
  const { t } = useTranslation('links');
  return (
    <Link to="/forgot-password" className="link">
      {t('reset.title')}
    </Link>
  );
}

interface PasswordFormProps {
  token: string;
  onConfirmed: (reply: Confirmed) => void;
  /** Called if the link has expired in the meantime. */
  onEnded: () => void;
}

/**
 * The form for a browser that did not sign up: it asks for the password of the sign-up, or sends a
 * link to set a new one.
 */
function PasswordForm({ token, onConfirmed, onEnded }: PasswordFormProps) {
  const { t } = useTranslation('links');
  const { form, field, submission } = useCommandForm(confirmEmail, {
    schema: confirmEmail.body.required(),
    defaultValues: { token, password: '' },
    refused: (error) => {
      if (error instanceof ApiError && error.code === 'INVALID_CONFIRMATION') onEnded();
    },
    done: onConfirmed,
    isGuarded: false,
  });
  return (
    <VisitorForm
      form={form}
      submission={submission}
      submitLabel={t('callback.submit')}
      other={<NewPasswordLink />}
    >
      <CurrentPassword {...field('password')} autoFocus />
    </VisitorForm>
  );
}
