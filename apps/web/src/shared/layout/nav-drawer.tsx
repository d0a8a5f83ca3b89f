import { useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Drawer } from '../ui/overlays/overlays.tsx';
import styles from './navigation.module.css';
import { Navigation } from './navigation.tsx';

interface NavDrawerProps {
  open: boolean;
  onClose: () => void;
  onSearch: () => void;
}

export function NavDrawer({ open, onClose, onSearch }: NavDrawerProps) {
  const { t } = useTranslation();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const shownAt = useRef(pathname);
  useEffect(() => {
    if (shownAt.current === pathname) return;
    shownAt.current = pathname;
    onClose();
  }, [pathname, onClose]);
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-label': t('nav.main'),
          style: { width: 'var(--drawer)', maxWidth: 'calc(100vw - 48px)' },
        },
      }}
    >
      <Navigation />
      <span className={styles.search}>
        <IconButton label={t('header.search')} onClick={onSearch}>
          <Search size={22} strokeWidth={1.6} />
        </IconButton>
      </span>
    </Drawer>
  );
}
