import { createLine } from '@linekeeper/contract/lines.ts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { paths } from '../paths.ts';
import { useCan } from '../session.ts';
import { useSingleKey } from '../use-single-key.ts';

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}));

/** The single keys that work on every screen. */
export function Shortcuts() {
  const navigate = useNavigate();
  const canSell = useCan(createLine.access);
  const [isOpen, setOpen] = useState(false);
  useSingleKey('n', () => {
    if (canSell) void navigate({ to: paths.addLine() });
  });
  useSingleKey('?', () => setOpen(true));
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutsDialog canSell={canSell} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
