import { useTranslation } from 'react-i18next';
import { buttonLook } from '#kit/ui/buttons/button.tsx';

/** The first link that the Tab key reaches. It moves the focus past the header to `main`, which must be focusable. */
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
