import { Menu } from 'lucide-react';
import { type ComponentType, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { prefetchWhenIdle } from '../ui/lazy-component.tsx';
import { AccountMenu, AccountPanel } from './account-menu.tsx';
import { Bell, BellPanel } from './bell/bell.tsx';
import { CreditsMenu, CreditsPanel } from './credits-menu.tsx';
import styles from './header.module.css';
import { LanguageMenu, LanguagePanel } from './language-menu.tsx';
import { PaletteButton, type PaletteProps } from './palette-button.tsx';

const panels = [CreditsPanel, LanguagePanel, BellPanel, AccountPanel];

interface HeaderProps extends Pick<PaletteProps, 'onShowShortcuts'> {
  palette: ComponentType<PaletteProps>;
  onOpenMenu: () => void;
}

export function Header({ palette, onOpenMenu, onShowShortcuts }: HeaderProps) {
  const { t } = useTranslation();
  useEffect(() => prefetchWhenIdle(panels.map(({ fetch }) => fetch)), []);
  return (
    <header className={styles.header}>
      <span className={styles.menuButton}>
        <IconButton label={t('header.openMenu')} onClick={onOpenMenu}>
          <Menu size={24} strokeWidth={1.6} />
        </IconButton>
      </span>
      <PaletteButton palette={palette} onShowShortcuts={onShowShortcuts} />
      <span className={styles.space} />
      <CreditsMenu />
      <LanguageMenu />
      <Bell />
      <AccountMenu />
    </header>
  );
}
