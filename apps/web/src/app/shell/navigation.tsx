import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScreen } from '#kit/page/use-screen.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { LogoMark } from '#kit/ui/logo.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { useSiteName } from '#platform/data/site-name.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import styles from './navigation.module.css';
import { litPath, type NavEntry, type NavGroup, visibleItems } from './navigation-items.ts';

// Its calls are not needed before the first page is there.
const NavBadge = lazyPart(() => import('./nav-badge.tsx'), 'NavBadge', {
  isPart: true,
});

/** The side navigation, beside the page or in a drawer in narrow windows. */
export function Navigation() {
  const { t } = useTranslation();
  const me = useMe();
  const siteName = useSiteName();
  const isPhone = useIsPhone();
  const items = visibleItems(me).filter(
    (item) => isPhone || !('isPhoneOnly' in item && item.isPhoneOnly),
  );
  const adminItems = items.filter(({ isAdministration }) => isAdministration);
  const lit = useLitPath();
  const navigation = useRef<HTMLElement>(null);
  // In a low window it may stand below the visible part.
  useEffect(() => {
    if (!lit) return;
    // After the page is drawn, because the browser must know all places for it.
    const timer = setTimeout(() =>
      scrollIntoSight(navigation.current?.querySelector('li > [aria-current]')),
    );
    return () => clearTimeout(timer);
  }, [lit]);
  return (
    <nav ref={navigation} className={styles.navigation} aria-label={t('nav.main')}>
      <Link to="/" className={`row ${styles.brand}`}>
        <LogoMark />
        <Text twoLines>
          <TypedText>{siteName}</TypedText>
        </Text>
      </Link>
      <ProfileCard me={me} />
      <NavList items={items.filter(({ isAdministration }) => !isAdministration)} />
      {adminItems.length > 0 && (
        <>
          <h2 className={styles.heading}>{t('nav.administration')}</h2>
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
    <Link to="/profile/edit" className={`row ${styles.profile}`}>
      <Avatar accountId={me.id} name={name} />
      <Stack as="span" wraps className={styles.profileText}>
        <Text as="b" cut>
          <TypedText>{name}</TypedText>
        </Text>
        <Caption cut>{t('nav.myProfile')}</Caption>
      </Stack>
    </Link>
  );
}

function NavList({ items }: { items: readonly (NavEntry | NavGroup)[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item.text}>{'links' in item ? <Group group={item} /> : <Entry entry={item} />}</li>
      ))}
    </ul>
  );
}

function Entry({ entry: { path, text, icon: Icon, badge } }: { entry: NavEntry }) {
  const { t } = useTranslation();
  const isLit = useLitPath() === path;
  return (
    <Link
      to={path}
      className={styles.entry}
      activeOptions={exactly}
      aria-current={isLit ? 'page' : undefined}
    >
      <Icon size={24} strokeWidth={1.6} />
      <span>{t(text)}</span>
      {badge && <NavBadge of={badge} />}
    </Link>
  );
}

/** The entry of the current screen, which may stand below it. */
function useLitPath() {
  return litPath(useScreen(), useMe());
}
/** As little as needed. `scrollIntoView` would also move the place from which Tab goes on. */
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
        className={styles.entry}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        <Icon size={24} strokeWidth={1.6} />
        <span>{t(text)}</span>
        {!isOpen && links.map(({ path, badge }) => badge && <NavBadge key={path} of={badge} />)}
        <Chevron className={styles.chevron} size={16} />
      </button>
      <ul id={id} ref={list} className={styles.sublist} hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.path}>
            <Link
              to={link.path}
              className={styles.subentry}
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
