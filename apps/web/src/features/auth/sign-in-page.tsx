import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { safeReturnPath } from '../../shared/browser/return-path.ts';
import { useCacheAccount } from '../../shared/data/session.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { VisitorFrame } from '../../shared/layout/visitor/visitor-frame.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import type { PendingSignIn } from './pending-sign-in.ts';
import { forgetPendingSignIn, hasPendingSignIn } from './pending-sign-in-note.ts';
import { SignInForm } from './sign-in-form.tsx';

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

interface Resumed {
  onWaiting: (waiting: PendingSignIn) => void;
  onEnded: (error: unknown) => void;
}

/** Leads back to the second step after the page was loaded again; true until that is known. */
function useResumed({ onWaiting, onEnded }: Resumed): boolean {
  const [isResuming, setResuming] = useState(hasPendingSignIn);
  const resume = useEffectEvent(async () => {
    try {
      const { resumePendingSignIn } = await import('./pending-sign-in.ts');
      onWaiting(await resumePendingSignIn());
    } catch (error) {
      onEnded(error);
    }
    setResuming(false);
  });
  useEffect(() => {
    if (isResuming) void resume();
  }, [isResuming]);
  return isResuming;
}

/** Says that the second step took too long once it did, and not at the next code. */
function useEndInTime(waiting: PendingSignIn | undefined, onEnded: (error: unknown) => void): void {
  const end = useEffectEvent(async () => {
    const { challengeEnded } = await import('./pending-sign-in.ts');
    onEnded(challengeEnded());
  });
  useEffect(() => {
    if (waiting?.seconds_left == null) return;
    const timer = setTimeout(() => void end(), waiting.seconds_left * 1000);
    return () => clearTimeout(timer);
  }, [waiting]);
}

export function SignInPage() {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const { notice } = useSearch({ from: '/sign-in' });
  const enter = useEnter();
  const [waiting, setWaiting] = useState<PendingSignIn>();
  const [ended, setEnded] = useState<unknown>();
  const leave = (error?: unknown) => {
    forgetPendingSignIn();
    setEnded(error);
    setWaiting(undefined);
  };
  const isResuming = useResumed({ onWaiting: setWaiting, onEnded: leave });
  useEndInTime(waiting, leave);
  if (waiting) {
    const { SecondStep, email, challenge } = waiting;
    return (
      <SecondStep
        email={email}
        challenge={challenge}
        onSignedIn={(user) => {
          forgetPendingSignIn();
          enter(user);
        }}
        onBack={() => leave()}
        onEnded={leave}
      />
    );
  }
  if (isResuming) return null;
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
