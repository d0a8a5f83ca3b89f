import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft, Menu, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useScreen } from '#kit/page/use-screen.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { placesOf } from '#screens/places.ts';
import { screens } from '#screens/screens.ts';

/**
 * The start of the header in windows without a navigation beside the page: the button that opens
 * the menu; on a phone, whose menu is in the bottom bar, the logo or a link to the screen above.
 */
export function HeaderCorner({ onOpenMenu }: { onOpenMenu: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="hidden tablet:inline-grid">
      {useIsPhone() ? (
        <PhoneCorner />
      ) : (
        <IconButton label={t('header.openMenu')} onClick={onOpenMenu}>
          <Menu size={24} strokeWidth={1.6} />
        </IconButton>
      )}
    </span>
  );
}

function PhoneCorner() {
  const { t } = useTranslation();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const screen = useScreen();
  const isSale = screen.path === screens.addLine.path;
  const isPlace = placesOf(useMe()).some((name) => screens[name].path === screen.path);
  if (isPlace && !isSale) {
    return (
      <Link
        to="/"
        className="grid place-items-center w-11 h-11 [&>svg]:w-7 [&>svg]:h-7"
        aria-label={t('places.home')}
      >
        <LogoMark />
      </Link>
    );
  }
  const goBack = () => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: screens[screen.parent ?? 'home'].path });
  };
  return (
    <IconButton label={t(isSale ? 'action.close' : 'header.back')} onClick={goBack}>
      {isSale ? <X size={24} strokeWidth={1.6} /> : <ArrowLeft size={24} strokeWidth={1.6} />}
    </IconButton>
  );
}
