import type { Language } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { BellIcon, ChevronDown, Coins } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { badgeText, unreadNotificationsQuery } from '#domain/messages/unread.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Flag } from '#kit/ui/flag.tsx';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { useBellResults } from './bell/use-bell-results.ts';
import { HeaderCorner } from './header-corner.tsx';
import { HeaderPopover } from './header-popover.tsx';
import { PaletteButton, type PaletteButtonProps } from './palette-button.tsx';
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
