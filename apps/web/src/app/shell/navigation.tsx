import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScreen } from '#kit/page/use-screen.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { useSiteName } from '#platform/data/site-name.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { litPath, type NavEntry, type NavGroup, visibleItems } from './navigation-items.ts';

// The badge is loaded late, because its requests are not needed before the first page is drawn.
const NavBadge = lazyPart(() => import('./nav-badge.tsx'), 'NavBadge', {
  isPart: true,
});

/** The side navigation, beside the page or in a drawer in narrow windows. */
export function Navigation() {
  const { t } = useTranslation();
  const me = useMe();
  const siteName = useSiteName();
  const items = visibleItems(me);
  const adminItems = items.filter(({ isAdministration }) => isAdministration);
  const lit = useLitPath();
  const navigation = useRef<HTMLElement>(null);
  // In a low window the current entry may be below the visible part.
  useEffect(() => {
    if (!lit) return;
    // The scrolling follows the drawing of the page, because the browser must know all positions for it.
    const timer = setTimeout(() =>
      scrollIntoSight(navigation.current?.querySelector('li > [aria-current]')),
    );
    return () => clearTimeout(timer);
  }, [lit]);
  return (
    <nav ref={navigation} className="pt-0 px-4 pb-4" aria-label={t('nav.main')}>
      <Link
        to="/"
        className="flex items-center gap-3 h-18 ps-2 type-[700_18px/24px_var(--font)] tracking-[-0.01em]"
      >
        <LogoMark />
        <span className="line-clamp-2 wrap-anywhere">
          <TypedText>{siteName}</TypedText>
        </span>
      </Link>
      <ProfileCard me={me} />
      <NavList items={items.filter(({ isAdministration }) => !isAdministration)} />
      {adminItems.length > 0 && (
        <>
          <h2 className="pt-3 px-3 pb-2 text-text-2 type-badge">{t('nav.administration')}</h2>
          <NavList items={adminItems} />
        </>
      )}
    </nav>
  );
}

function ProfileCard({ me }: { me: Me }) {
  const { t } = useTranslation();
  const name = displayName(me);
  return (
    <Link
      to="/profile/edit"
      className="flex items-center gap-3 h-16 mb-4 py-2 px-3 rounded-[12px] bg-head hover:bg-neutral-bg"
    >
      <Avatar accountId={me.id} name={name} />
      <span className="grid grid-cols-1 min-w-0 wrap-anywhere [&_b]:type-[600_14px/20px_var(--font)]">
        <b className="truncate">
          <TypedText>{name}</TypedText>
        </b>
        <span className="text-text-2 type-caption truncate [a:hover_&]:text-neutral-fg">
          {t('nav.myProfile')}
        </span>
      </span>
    </Link>
  );
}

function NavList({ items }: { items: readonly (NavEntry | NavGroup)[] }) {
  return (
    <ul className="[&>li]:mb-1">
      {items.map((item) => (
        <li key={item.text}>{'links' in item ? <Group group={item} /> : <Entry entry={item} />}</li>
      ))}
    </ul>
  );
}

/** The look of an entry of the navigation: a page, or a group of pages. */
const ENTRY =
  'scroll-my-4 flex items-center gap-4 w-full h-11 rounded-nav text-text-2 type-[500_14px/22px_var(--font)] hover:bg-head [&[aria-current=page]]:bg-primary-soft [&[aria-current=page]]:text-primary-dark [&[aria-current=page]]:font-semibold';
/** The look of an entry at the top level; a group may be open. */
const AT_TOP = `${ENTRY} py-0 px-3 aria-expanded:text-text aria-expanded:font-semibold`;
/** The dot before an entry of a group, which is larger for the open page. */
const DOT =
  "relative ps-13 pe-3 before:content-[''] before:absolute before:start-5.5 before:top-5 before:w-1 before:h-1 before:rounded-[50%] before:bg-icon-quiet";
const LIT_DOT =
  '[&[aria-current=page]]:before:start-5 [&[aria-current=page]]:before:top-4.5 [&[aria-current=page]]:before:w-2 [&[aria-current=page]]:before:h-2 [&[aria-current=page]]:before:bg-primary';

function Entry({ entry: { path, text, icon: Icon, badge } }: { entry: NavEntry }) {
  const { t } = useTranslation();
  const isLit = useLitPath() === path;
  return (
    <Link
      to={path}
      className={AT_TOP}
      activeOptions={exactly}
      aria-current={isLit ? 'page' : undefined}
    >
      <Icon size={24} strokeWidth={1.6} />
      <span>{t(text)}</span>
      {badge && <NavBadge of={badge} />}
    </Link>
  );
}

/** The path of the entry for the current screen, which may be a screen below it. */
function useLitPath() {
  return litPath(useScreen(), useMe());
}
/** Scrolls as little as possible. `scrollIntoView` would also change from where Tab continues. */
function scrollIntoSight(entry: Element | null | undefined): void {
  let frame = entry?.parentElement;
  while (frame && !/auto|scroll/.test(getComputedStyle(frame).overflowY))
    frame = frame.parentElement;
  if (!entry || !frame) return;
  const { top, bottom } = entry.getBoundingClientRect();
  const visible = frame.getBoundingClientRect();
  if (top < visible.top) frame.scrollTop += top - visible.top;
  else if (bottom > visible.bottom) frame.scrollTop += bottom - visible.bottom;
}
const exactly = { exact: true, includeSearch: false };

function Group({ group: { text, icon: Icon, links } }: { group: NavGroup }) {
  const { t } = useTranslation();
  const id = useId();
  const lit = useLitPath();
  const isHere = links.some(({ path }) => path === lit);
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isHere;
  const list = useRef<HTMLUListElement>(null);
  // In a low window the group opens below the visible part of the navigation.
  useEffect(() => {
    if (chosen) scrollIntoSight(list.current);
  }, [chosen]);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <button
        type="button"
        className={AT_TOP}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        <Icon size={24} strokeWidth={1.6} />
        <span>{t(text)}</span>
        {!isOpen && links.map(({ path, badge }) => badge && <NavBadge key={path} of={badge} />)}
        <Chevron className="ms-auto [.bg-danger+&]:ms-0" size={16} />
      </button>
      <ul id={id} ref={list} className="my-1 mx-0" hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.path}>
            <Link
              to={link.path}
              className={`${ENTRY} ${DOT} ${LIT_DOT}`}
              activeOptions={exactly}
              aria-current={link.path === lit ? 'page' : undefined}
            >
              {t(link.text)}
              {isOpen && link.badge && <NavBadge of={link.badge} />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
