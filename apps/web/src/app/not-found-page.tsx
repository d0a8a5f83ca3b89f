import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  const title = useDocumentTitle();
  return (
    <main className="flex flex-col items-center justify-center min-h-[100vh] py-6 px-4 text-center">
      <LogoMark />
      <p className="mt-6 mx-0 mb-2 text-text-2 type-number">404</p>
      <h1>{title}</h1>
      <p className="mt-1 mx-0 mb-6 text-text-2">{t('notFound.text')}</p>
      <ButtonLink to="/" variant="solid">
        {t('notFound.home')}
      </ButtonLink>
    </main>
  );
}
