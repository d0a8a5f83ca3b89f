import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { t } = useTranslation('auth');
  const { notice } = useSearch({ from: '/sign-in' });
  return (
    <AuthFrame
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
      <SignInForm notice={notice && <Banner tone="success" title={t('signIn.accountCreated')} />} />
    </AuthFrame>
  );
}
