import { createLine } from '@linekeeper/contract/lines/lines.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCan } from '../data/session.ts';
import { prefetchOnceUsed } from '../start/later.tsx';
import { lazyComponent } from '../start/lazy-component.tsx';
import { useSingleKey } from '../ui/use-single-key.ts';

const ShortcutsDialog = lazyComponent(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
);

interface ShortcutsProps {
  /** True while the list of shortcuts is shown. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** The single keys that work on every screen, and their list. */
export function Shortcuts({ isOpen, onOpen }: ShortcutsProps) {
  const navigate = useNavigate();
  const canSell = useCan(createLine.access);
  useSingleKey('n', () => {
    if (canSell) void navigate({ to: '/users/add' });
  });
  useSingleKey('?', () => onOpen(true));
  useEffect(() => prefetchOnceUsed([ShortcutsDialog.fetch]), []);
  if (!isOpen) return null;
  return <ShortcutsDialog canSell={canSell} onClose={() => onOpen(false)} />;
}
