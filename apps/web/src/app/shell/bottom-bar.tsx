import { Link, useRouterState } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useScreen } from '#kit/page/use-screen.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { isSeller, type PlaceName, placesOf } from '#screens/places.ts';
import { iconFor } from '#screens/screen-icons.ts';
import { screens } from '#screens/screens.ts';
import { litPath } from './navigation-items.ts';

interface BottomBarProps {
  onSearch: () => void;
  onOpenMenu: () => void;
}

/** The bar at the bottom of a phone, with five entries within reach of the thumb. */
export function BottomBar(props: BottomBarProps) {
  return useIsPhone() && <Places {...props} />;
}

/** The look of an entry of the bar, of the current one and of the main one. */
const LIT =
  '[&[aria-current=page]]:text-primary [&[aria-current=page]]:font-bold [&[data-main]]:text-primary-dark [&[data-main]]:font-bold';
const PLACE = `grid content-center justify-items-center gap-0.5 h-16 text-text-2 type-[500_12px/18px_var(--font)] text-center focus-visible:-outline-offset-4 ${LIT}`;
const ICON =
  'grid place-items-center h-7 [[data-main]>&]:w-13 [[data-main]>&]:rounded-[14px] [[data-main]>&]:bg-primary [[data-main]>&]:text-paper';

/**
 * The entries of the bar. They are hidden while a bar of the page is shown, and while the keyboard
 * is, which needs the space.
 */
function Places({ onSearch, onOpenMenu }: BottomBarProps) {
  const { t } = useTranslation();
  const me = useMe();
  const lit = useLitPlace();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav
      className="bg-paper [box-shadow:0_-1px_0_var(--color-divider),var(--shade-bar)] grid [grid-auto-flow:column] [grid-auto-columns:minmax(0,1fr)] pb-[env(safe-area-inset-bottom)] [body:has([data-foot-bar])_&]:hidden [[data-keyboard]_&]:hidden"
      aria-label={t('places.label')}
    >
      {placesOf(me).map((name) => {
        const { path } = screens[name];
        const Icon = iconFor(name, me);
        return (
          <Link
            key={name}
            to={path}
            className={PLACE}
            activeOptions={exactly}
            aria-current={lit === name || here === path ? 'page' : undefined}
            data-main={name === 'addLine' || undefined}
          >
            <span className={ICON}>{Icon && <Icon size={24} strokeWidth={1.6} />}</span>
            {t(name === 'home' && isSeller(me) ? 'nav.today' : `places.${name}`)}
          </Link>
        );
      })}
      <button type="button" className={PLACE} aria-haspopup="dialog" onClick={onSearch}>
        <span className={ICON}>
          <Search size={24} strokeWidth={1.6} />
        </span>
        {t('places.search')}
      </button>
      <button type="button" className={PLACE} aria-haspopup="dialog" onClick={onOpenMenu}>
        <span className={ICON}>
          <Menu size={24} strokeWidth={1.6} />
        </span>
        {t('places.more')}
      </button>
    </nav>
  );
}

const exactly = { exact: true, includeSearch: false };

/** The entry of the bottom bar for the current screen or a screen above it. */
function useLitPlace(): PlaceName | undefined {
  const me = useMe();
  const path = litPath(useScreen(), me);
  return placesOf(me).find((name) => screens[name].path === path);
}
