import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { useNeedsConnection } from '../../ui/use-needs-connection.ts';
import type { BulkAction } from './more-actions-menu.tsx';

/** Loaded on first use to keep pages with a selection small. */
const MoreActionsMenu = lazyComponent(
  async () => (await import('./more-actions-menu.tsx')).MoreActionsMenu,
  { isOpen: ({ anchor }) => anchor },
);

/** Menu of the actions that do not fit into the bar. */
export function MoreActions({ actions }: { actions: readonly BulkAction[] }) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        aria-label={t('list.moreActions')}
        blocked={useNeedsConnection()}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        icon={<Ellipsis aria-hidden="true" />}
        onPointerEnter={MoreActionsMenu.fetch}
        onFocus={MoreActionsMenu.fetch}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      <MoreActionsMenu anchor={anchor} actions={actions} onClose={() => setAnchor(null)} />
    </>
  );
}
