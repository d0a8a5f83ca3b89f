import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Drawer } from '#kit/overlays/overlays.tsx';
import { Navigation } from './navigation.tsx';

interface NavDrawerProps {
  open: boolean;
  onClose: () => void;
}

export function NavDrawer({ open, onClose }: NavDrawerProps) {
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
      aria-label={t('nav.main')}
      style={{ width: 'var(--drawer)', maxWidth: 'calc(100vw - 48px)' }}
    >
      <Navigation />
    </Drawer>
  );
}
