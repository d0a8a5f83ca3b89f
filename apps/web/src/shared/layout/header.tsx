import { Menu } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { prefetchOnceUsed } from '../start/later.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Row } from '../ui/vocabulary.tsx';
import { AccountMenu, AccountPanel } from './account-menu.tsx';
import { Bell, BellPanel } from './bell/bell.tsx';
import { CreditsMenu, CreditsPanel } from './credits-menu.tsx';
import styles from './header.module.css';
import { LanguageMenu, LanguagePanel } from './language-menu.tsx';
import { PaletteButton, type PaletteButtonProps } from './palette-button.tsx';

const panels = [CreditsPanel, LanguagePanel, BellPanel, AccountPanel];

interface HeaderProps {
  search: PaletteButtonProps;
  onOpenMenu: () => void;
}

export function Header({ search, onOpenMenu }: HeaderProps) {
  const { t } = useTranslation();
  useEffect(() => prefetchOnceUsed(panels.map(({ fetch }) => fetch)), []);
  return (
    <Row as="header" gap={8} className={styles.header}>
      <span className={styles.menuButton}>
        <IconButton label={t('header.openMenu')} onClick={onOpenMenu}>
          <Menu size={24} strokeWidth={1.6} />
        </IconButton>
      </span>
      <PaletteButton {...search} />
      <span className={styles.space} />
      <CreditsMenu />
      <LanguageMenu />
      <Bell />
      <AccountMenu />
    </Row>
  );
}
