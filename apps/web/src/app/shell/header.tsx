import type { Language } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft, BellIcon, ChevronDown, Coins, Menu, Search, X } from 'lucide-react';
import {
  type Dispatch,
  type SetStateAction,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { tinykeys } from 'tinykeys';
import { badgeText, unreadNotificationsQuery } from '#domain/messages/unread.ts';
import type { PaletteProps } from '#features/palette/palette.tsx';
import { useScreen } from '#kit/page/use-screen.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Flag } from '#kit/ui/flag.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { CONTROL_KEY, useControlKey } from '#platform/browser/control-key.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { placesOf } from '#screens/places.ts';
import { screens } from '#screens/screens.ts';
import { useBellResults } from './bell/use-bell-results.ts';
import { HeaderPopover } from './header-popover.tsx';
import { ResultPlace } from './results/result-place.tsx';

const BellPanel = lazyPart(() => import('./bell/bell-panel.tsx'), 'BellPanel');

function Bell() {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery(unreadNotificationsQuery());
  useBellResults();
  return (
    <span className="relative inline-grid" data-bell>
      <HeaderPopover
        panel={BellPanel}
        trigger={(props) => (
          <IconButton
            label={
              count > 0 ? t('bell.unread', { count, shown: badgeText(count) }) : t('bell.title')
            }
            {...props}
          >
            <BellIcon size={24} strokeWidth={1.6} />
          </IconButton>
        )}
      />
      {count > 0 && (
        <span
          className="absolute -top-0.5 start-5.5 min-w-5 py-0 px-[5px] rounded-[10px] bg-danger text-paper type-[700_12px/20px_var(--font)] text-center pointer-events-none"
          aria-hidden="true"
        >
          {badgeText(count)}
        </span>
      )}
    </span>
  );
}

const CreditsPanel = lazyPart(() => import('./credits-panel.tsx'), 'CreditsPanel');

function CreditsMenu() {
  const { t, i18n } = useTranslation();
  const { credits } = useMe();
  return (
    <HeaderPopover
      panel={CreditsPanel}
      trigger={(props) => (
        <button
          type="button"
          className="flex items-center gap-2 h-(--press) px-3 border border-divider-strong rounded-[22px] bg-paper type-[700_14px/22px_var(--font)] whitespace-nowrap aria-expanded:border-primary aria-expanded:bg-primary-soft phone:gap-1.5 phone:me-1 phone:px-2.5"
          {...props}
        >
          <Coins className="text-primary" size={18} />
          <span>
            {formatNumber(credits, i18n.language)}
            <span className="text-text-2 font-medium [[aria-expanded=true]_&]:text-neutral-fg phone:visually-hidden">
              {' '}
              {t('credits.unit', { count: credits })}
            </span>
          </span>
          <ChevronDown className="text-icon phone:hidden" size={16} />
        </button>
      )}
    />
  );
}

const AccountPanel = lazyPart(() => import('./account-panel.tsx'), 'AccountPanel');

function AccountMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const name = displayName(me);
  return (
    <HeaderPopover
      panel={AccountPanel}
      trigger={(props) => (
        <IconButton label={t('header.account', { name })} {...props}>
          <Avatar accountId={me.id} name={name} size={32} />
        </IconButton>
      )}
    />
  );
}

const LanguagePanel = lazyPart(() => import('./language-panel.tsx'), 'LanguagePanel');

function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <HeaderPopover
      panel={LanguagePanel}
      trigger={(props) => (
        <IconButton
          label={t('header.language', { language: languageNames[i18n.language as Language] })}
          {...props}
        >
          <Flag language={i18n.language as Language} />
        </IconButton>
      )}
    />
  );
}

const panels = [CreditsPanel, LanguagePanel, BellPanel, AccountPanel];

interface HeaderProps {
  search: PaletteButtonProps;
  onOpenMenu: () => void;
}

/**
 * The look of the header with a result in its free space. If there is too little space, the result
 * covers the other parts, except the bell.
 */
const ABOUT_RESULT =
  '[&:has([role=status]>*)]:[&>[role=status]]:desktop:min-w-80 small-tablet:[&:has([role=status]>*)>:not([role=status],[data-bell])]:absolute small-tablet:[&:has([role=status]>*)>:not([role=status],[data-bell])]:invisible';

export function Header({ search, onOpenMenu }: HeaderProps) {
  useEffect(() => prefetchOnceUsed(panels.map(({ fetch }) => fetch)), []);
  return (
    <header
      className={`flex items-center gap-2 sticky top-0 z-5 h-(--header) py-0 px-(--side) bg-[rgba(249,250,251,0.92)] [backdrop-filter:blur(12px)] phone:h-(--header-mobile) phone:gap-0 phone:px-2 low:static ${ABOUT_RESULT}`}
      data-print="none"
    >
      <HeaderCorner onOpenMenu={onOpenMenu} />
      <PaletteButton {...search} />
      <ResultPlace />
      <CreditsMenu />
      <LanguageMenu />
      <Bell />
      <AccountMenu />
    </header>
  );
}

/**
 * The start of the header in windows without a navigation beside the page: the button that opens
 * the menu; on a phone, whose menu is in the bottom bar, the logo or a link to the screen above.
 */
function HeaderCorner({ onOpenMenu }: { onOpenMenu: () => void }) {
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

const Palette = lazyPart(() => import('#features/palette/palette.tsx'), 'Palette', {
  texts: 'palette',
});

interface PaletteButtonProps extends Pick<PaletteProps, 'open' | 'onShowShortcuts'> {
  setOpen: Dispatch<SetStateAction<boolean>>;
}

/** The search box is hidden while the header shows a result. */
const BESIDE_RESULT =
  '[header:has([role=status]>*)>&]:overflow-hidden [header:has([role=status]>*)>&]:whitespace-nowrap tablet:[header:has([role=status]>*)>&]:absolute tablet:[header:has([role=status]>*)>&]:invisible';

/**
 * The search box in the header. Opens the palette, whose code is loaded on first use. A phone has no
 * room for the box; there the palette is opened from the navigation.
 */
function PaletteButton(props: PaletteButtonProps) {
  const { open, setOpen, onShowShortcuts } = props;
  const { t } = useTranslation();
  const control = useControlKey();
  const box = useRef<HTMLButtonElement>(null);
  // The search box, once the palette was opened: a state that is set when the box is attached would
  // make React run all effects of the first screen in the task that puts it into the page.
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // The keys work as soon as the box is visible.
  useLayoutEffect(
    () =>
      tinykeys(window, {
        '$mod+KeyK': (event) => {
          event.preventDefault();
          setOpen((wasOpen) => !wasOpen);
        },
      }),
    [setOpen],
  );
  useEffect(() => prefetchOnceUsed([Palette.fetch]), []);
  useEffect(() => {
    if (open) setAnchor(box.current);
  }, [open]);
  return (
    <>
      <button
        ref={box}
        type="button"
        className={`flex items-center border border-divider-strong rounded-control bg-paper gap-2 w-80 min-w-0 h-10 pt-0 pr-2 pb-0 pl-3 text-text-2 phone:hidden ${BESIDE_RESULT}`}
        aria-haspopup="dialog"
        aria-keyshortcuts={`${CONTROL_KEY}+K`}
        onClick={() => setOpen(true)}
      >
        <Search size={18} />
        <span className="truncate">{t('header.search')}</span>
        <kbd className="flex-none ms-auto">{control} K</kbd>
      </button>
      {anchor && (
        <Palette
          open={open}
          anchor={anchor}
          onClose={() => setOpen(false)}
          onShowShortcuts={onShowShortcuts}
        />
      )}
    </>
  );
}
