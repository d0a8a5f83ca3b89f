import MenuItem from '@mui/material/MenuItem';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/buttons/button.tsx';
import { Menu } from '../../ui/overlays/overlays.tsx';
import { useNeedsConnection } from '../../ui/use-needs-connection.ts';
import styles from './bulk-bar.module.css';

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
  const choose = (act: () => void) => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <Button
        aria-label={t('list.moreActions')}
        blocked={useNeedsConnection()}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        icon={<Ellipsis aria-hidden="true" />}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      <Menu
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        {actions.toReversed().map(({ name, label, icon, isDanger, act }) => (
          <MenuItem
            key={name}
            className={styles.item ?? ''}
            data-danger={isDanger}
            onClick={() => choose(act)}
          >
            {icon}
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
