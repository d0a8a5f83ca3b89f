import Drawer from '@mui/material/Drawer';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigation } from './navigation.tsx';

interface NavDrawerProps {
  open: boolean;
  onClose: () => void;
}

/** The navigation where the window is too narrow for it; it closes when a screen has been chosen. */
export function NavDrawer({ open, onClose }: NavDrawerProps) {
  const { t } = useTranslation();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(onClose, [pathname]);
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
    </Drawer>
  );
}
