import type { Me } from '@linekeeper/contract/auth.ts';
import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../paths.ts';
import { useMe } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LogoMark } from '../ui/logo.tsx';
import { displayName } from './display-name.ts';
import styles from './navigation.module.css';
import { adminNavItems, type NavItem, navItems, visibleItems } from './navigation-items.ts';

/** The side navigation: beside the page, or in a drawer where the window is narrow. */
export function Navigation() {
  const { t } = useTranslation();
  const me = useMe();
  const adminItems = visibleItems(adminNavItems, me);
  return (
    <nav className={styles.navigation} aria-label={t('nav.main')}>
      <Link to={paths.home()} className={styles.brand}>
        <LogoMark />
        Linekeeper
      </Link>
      <ProfileCard me={me} />
      <NavList items={visibleItems(navItems, me)} />
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
    <Link to={paths.profile()} className={styles.profile}>
      <Avatar name={name} />
      <span className={styles.profileText}>
        <b>{name}</b>
        <span>{t('nav.myProfile')}</span>
      </span>
    </Link>
  );
}

function NavList({ items }: { items: readonly NavItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item.text}>{item.path ? <NavEntry item={item} /> : <NavGroup item={item} />}</li>
      ))}
    </ul>
  );
}

function NavEntry({ item }: { item: NavItem }) {
  const { t } = useTranslation();
  const Icon = item.icon;
  return (
    <Link to={item.path ?? '/'} className={styles.entry} activeOptions={{ exact: true }}>
      <Icon size={24} strokeWidth={1.6} aria-hidden="true" />
      <span>{t(`nav.${item.text}`)}</span>
    </Link>
  );
}

/** The first part of a path: all screens of a group share it. */
function sectionOf(path: string): string | undefined {
  return path.split('/')[1];
}

function NavGroup({ item }: { item: NavItem }) {
  const { t } = useTranslation();
  const id = useId();
  const children = item.children ?? [];
  const isHere = useRouterState({
    select: ({ location }) =>
      children.some(({ path }) => sectionOf(path) === sectionOf(location.pathname)),
  });
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isHere;
  const Icon = item.icon;
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
        <span>{t(`nav.${item.text}`)}</span>
        <Chevron className={styles.chevron} size={16} aria-hidden="true" />
      </button>
      <ul id={id} className={styles.sublist} hidden={!isOpen}>
        {children.map(({ text, path }) => (
          <li key={path}>
            <Link
              to={path}
              className={styles.subentry}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {t(`nav.${text}`)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
