import type { Me } from '@linekeeper/contract/auth/auth.ts';
import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../session.ts';
import { useSiteName } from '../site-name.ts';
import { Avatar } from '../ui/avatar.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { LogoMark } from '../ui/logo.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import { displayName } from './display-name.ts';
import styles from './navigation.module.css';
import { type NavEntry, type NavGroup, visibleItems } from './navigation-items.ts';

// Its calls are not needed before the first page is there.
const NavBadge = lazyComponent(async () => (await import('./nav-badge.tsx')).NavBadge, {
  isPart: true,
});

/** The side navigation, beside the page or in a drawer in narrow windows. */
export function Navigation() {
  const { t } = useTranslation();
  const me = useMe();
  const siteName = useSiteName();
  const items = visibleItems(me);
  const adminItems = items.filter(({ isAdministration }) => isAdministration);
  return (
    <nav className={styles.navigation} aria-label={t('nav.main')}>
      <Link to="/" className={styles.brand}>
        <LogoMark />
        <span>
          <TypedText>{siteName}</TypedText>
        </span>
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
    <Link to="/profile/edit" className={styles.profile}>
      <Avatar accountId={me.id} name={name} />
      <span className={styles.profileText}>
        <b>
          <TypedText>{name}</TypedText>
        </b>
        <span>{t('nav.myProfile')}</span>
      </span>
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

function Entry({ entry: { path, text, icon: Icon, badge, hasEntryBelow } }: { entry: NavEntry }) {
  const { t } = useTranslation();
  return (
    <Link
      to={path}
      className={styles.entry}
      // Pages below are of the entry too, but not every page is of the dashboard.
      activeOptions={{ exact: path === '/' || hasEntryBelow, includeSearch: false }}
    >
      <Icon size={24} strokeWidth={1.6} aria-hidden="true" />
      <span>{t(text)}</span>
      {badge && <NavBadge of={badge} />}
    </Link>
  );
}

/** First segment of a path, which all screens of a group share. */
function sectionOf(path: string): string | undefined {
  return path.split('/')[1];
}

function Group({ group: { text, icon: Icon, links } }: { group: NavGroup }) {
  const { t } = useTranslation();
  const id = useId();
  const isHere = useRouterState({
    select: ({ location }) =>
      links.some(({ path }) => sectionOf(path) === sectionOf(location.pathname)),
  });
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isHere;
  const list = useRef<HTMLUListElement>(null);
  // In a low window the group opens below the visible part of the navigation.
  useEffect(() => {
    if (chosen) list.current?.scrollIntoView({ block: 'nearest' });
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
        <Icon size={24} strokeWidth={1.6} aria-hidden="true" />
        <span>{t(text)}</span>
        {links.map(({ path, badge }) => badge && <NavBadge key={path} of={badge} />)}
        <Chevron className={styles.chevron} size={16} aria-hidden="true" />
      </button>
      <ul id={id} ref={list} className={styles.sublist} hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.path}>
            <Link
              to={link.path}
              className={styles.subentry}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {t(link.text)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
