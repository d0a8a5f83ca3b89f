import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/buttons/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useNeedsConnection } from '../../ui/use-needs-connection.ts';

/** Loaded on first use to keep pages with a selection small. */
const MoreActionsMenu = lazyComponent(
  async () => (await import('./more-actions-menu.tsx')).MoreActionsMenu,
  { isOpen: ({ anchor }) => anchor },
);

/** An action on the selected rows. */
export interface BulkAction {
  name: string;
  label: string;
  icon: ReactNode;
  isDanger?: boolean;
  /** Always in the menu, so that the bar has room for the others in every language. */
  isInMenu?: boolean;
  isPending?: boolean;
  act: () => void;
}

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
