import type { Server } from '@linekeeper/contract/servers.ts';
import MenuItem from '@mui/material/MenuItem';
import { ArrowRightLeft, EllipsisVertical, Pencil, Scale, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../shared/ui/buttons/icon-button.tsx';
import { MenuLink } from '../../../shared/ui/buttons/menu-link.tsx';
import { Menu } from '../../../shared/ui/overlays.tsx';
import { CompareDialog } from '../compare/compare-dialog.tsx';
import { DeleteServerDialog } from './delete-server-dialog.tsx';
import { MoveLinesDialog } from './move-lines-dialog.tsx';

export function ServerMenu({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<'compare' | 'move' | 'delete' | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        label={t('card.more', { name: server.server_name })}
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <EllipsisVertical size={18} aria-hidden="true" />
      </IconButton>
      {/* Not in a portal at the end of the page, so that the menu is inside a landmark. */}
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        onClose={close}
        disablePortal
      >
        <MenuLink to="/cccam-servers/edit/$id" params={{ id: server.id }}>
          <Pencil size={18} aria-hidden="true" />
          {t('card.edit')}
        </MenuLink>
        <MenuItem
          onClick={() => {
            close();
            setAsked('compare');
          }}
        >
          <Scale size={18} aria-hidden="true" />
          {t('compare.open')}
        </MenuItem>
        {server.line_count > 0 && (
          <MenuItem
            onClick={() => {
              close();
              setAsked('move');
            }}
          >
            <ArrowRightLeft size={18} aria-hidden="true" />
            {t('card.moveLines')}
          </MenuItem>
        )}
        <MenuItem
          onClick={() => {
            close();
            setAsked('delete');
          }}
        >
          <Trash2 size={18} aria-hidden="true" />
          {t('card.delete')}
        </MenuItem>
      </Menu>
      {asked === 'compare' && <CompareDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'move' && <MoveLinesDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteServerDialog server={server} onClose={() => setAsked(null)} />}
    </>
  );
}
