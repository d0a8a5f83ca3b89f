import { useTranslation } from 'react-i18next';
import { buttonLook } from '#kit/ui/buttons/button.tsx';

/** The first stop of Tab: leads past the header to `main`, which must be able to take the focus. */
export function SkipLink() {
  const { t } = useTranslation();
  const look = buttonLook({ variant: 'solid' });
  return (
    <a
      {...look}
      className={`fixed start-4 -top-15 z-20 focus:top-4 ${look.className}`}
      href="#main"
    >
      {t('skipToContent')}
    </a>
  );
}
