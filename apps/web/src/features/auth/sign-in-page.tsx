import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { VisitorFrame } from '../../shared/layout/visitor-frame.tsx';
import { safeReturnPath } from '../../shared/return-path.ts';
import { useCacheAccount } from '../../shared/session.ts';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { SignInForm, type Waiting } from './sign-in-form.tsx';

/** Goes to the page that was asked for before. */
function useEnter() {
  const router = useRouter();
  const { to } = useSearch({ from: '/sign-in' });
  const cacheAccount = useCacheAccount();
  return (user: Me) => {
    cacheAccount(user);
    router.history.push(safeReturnPath(to));
  };
}

export function SignInPage() {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const { notice } = useSearch({ from: '/sign-in' });
  const enter = useEnter();
  const [waiting, setWaiting] = useState<Waiting>();
  const [ended, setEnded] = useState<unknown>();
  if (waiting) {
    const { SecondStep, email, challenge } = waiting;
    return (
      <SecondStep
        email={email}
        challenge={challenge}
        onSignedIn={enter}
        onBack={() => setWaiting(undefined)}
        onEnded={(error) => {
          setEnded(error);
          setWaiting(undefined);
        }}
      />
    );
  }
  const created = notice && <Banner tone="success" title={t('signIn.accountCreated')} />;
  return (
    <VisitorFrame
      title={t('signIn.title')}
      intro={
        <>
          {t('signIn.noAccount')}{' '}
          <Link to="/sign-up" className="link">
            {t('signUp.title')}
          </Link>
        </>
      }
    >
      <SignInForm
        notice={ended ? <Banner tone="error" title={errorText(ended)} isAlert /> : created}
        onSignedIn={enter}
        onWaiting={setWaiting}
      />
    </VisitorFrame>
  );
}
