import { type Me, signIn } from '@linekeeper/contract/auth/auth.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CurrentPassword } from '#kit/forms/fields/password-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { onAccountRemembered, useCacheAccount, useMe } from '#platform/data/session.ts';
import { loadTexts } from '#platform/i18n/i18n.ts';
import type { SecondStepDialog } from './second-step-dialog.tsx';

interface SessionEndedDialogProps {
  onSignedIn: () => void;
  onLeave: () => void;
}

/** A sign-in that waits for its second step, whose code is loaded by that time. */
interface Waiting {
  challenge: string;
  SecondStepDialog: typeof SecondStepDialog;
}

/** The dialog in which the same account signs in again, over a page with unsaved input. */
export function SessionEndedDialog({ onSignedIn, onLeave }: SessionEndedDialogProps) {
  const { id, email } = useMe();
  const cacheAccount = useCacheAccount();
  const [waiting, setWaiting] = useState<Waiting>();
  const followOtherTab = useEffectEvent((accountId: string) => {
    if (accountId === id) onSignedIn();
    else location.reload();
  });
  useEffect(() => onAccountRemembered(followOtherTab), []);
  const enter = (user: Me) => {
    cacheAccount(user);
    onSignedIn();
  };
  if (!waiting) {
    return <PasswordDialog onSignedIn={enter} onWaiting={setWaiting} onLeave={onLeave} />;
  }
  const { challenge, SecondStepDialog } = waiting;
  return (
    <SecondStepDialog
      email={email}
      challenge={challenge}
      onSignedIn={enter}
      onEnded={() => setWaiting(undefined)}
      onLeave={onLeave}
    />
  );
}

interface PasswordDialogProps {
  onSignedIn: (user: Me) => void;
  onWaiting: (waiting: Waiting) => void;
  onLeave: () => void;
}

function PasswordDialog({ onSignedIn, onWaiting, onLeave }: PasswordDialogProps) {
  const { t } = useTranslation('auth');
  const { email } = useMe();
  const { field, submission } = useCommandForm(signIn, {
    defaultValues: { email, password: '' },
    done: async (reply) => {
      if ('user' in reply) return onSignedIn(reply.user);
      const [step] = await Promise.all([
        import('./second-step-dialog.tsx'),
        loadTexts('twoFactor'),
      ]);
      onWaiting({ challenge: reply.challenge, SecondStepDialog: step.SecondStepDialog });
    },
    isGuarded: false,
  });
  return (
    <FormDialog
      // Closing always asks for a confirmation, because it discards the input of the page below.
      submission={{ ...submission, isUnsaved: true }}
      title={t('sessionEnded.title')}
      text={t('sessionEnded.text', { email })}
      submitLabel={t('signIn.submit')}
      cancelLabel={t('unsaved.leave')}
      onClose={onLeave}
    >
      <CurrentPassword {...field('password')} autoFocus />
    </FormDialog>
  );
}
