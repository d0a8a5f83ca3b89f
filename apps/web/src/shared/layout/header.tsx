import { Menu } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CreditsMenu } from './credits-menu.tsx';
import styles from './header.module.css';
import { LanguageMenu } from './language-menu.tsx';
import { PaletteButton, type PaletteProps } from './palette-button.tsx';

interface HeaderProps {
  palette: ComponentType<PaletteProps>;
  onOpenMenu: () => void;
}

export function Header({ palette, onOpenMenu }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <header className={styles.header}>
      <span className={styles.menuButton}>
        <IconButton label={t('header.openMenu')} onClick={onOpenMenu}>
          <Menu size={24} strokeWidth={1.6} />
        </IconButton>
      </span>
      <PaletteButton palette={palette} />
      <span className={styles.space} />
      <CreditsMenu />
      <LanguageMenu />
      <AccountMenu />
    </header>
  );
}
