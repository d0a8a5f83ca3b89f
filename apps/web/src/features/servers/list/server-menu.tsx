import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Activity, ArrowRightLeft, Pencil, Scale, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuLink } from '../../../shared/ui/buttons/menu-link.tsx';
import { MoreItem, MoreMenu } from '../../../shared/ui/overlays/more-menu.tsx';
import { CompareDialog } from '../compare/compare-dialog.tsx';
import { DeleteServerDialog } from './delete-server-dialog.tsx';
import { MoveLinesDialog } from './move-lines-dialog.tsx';

export function ServerMenu({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [asked, setAsked] = useState<'compare' | 'move' | 'delete' | null>(null);
  return (
    <>
      <MoreMenu label={t('card.more', { name: server.server_name })}>
        {(choose) => [
          <MenuLink key="edit" to="/cccam-servers/edit/$id" params={{ id: server.id }}>
            <Pencil size={18} aria-hidden="true" />
            {t('card.edit')}
          </MenuLink>,
          <MenuLink key="health" to="/cccam-servers/health/$id" params={{ id: server.id }}>
            <Activity size={18} aria-hidden="true" />
            {t('health.open')}
          </MenuLink>,
          <MoreItem
            key="compare"
            icon={Scale}
            text={t('compare.open')}
            onClick={choose(() => setAsked('compare'))}
          />,
          server.line_count > 0 && (
            <MoreItem
              key="move"
              icon={ArrowRightLeft}
              text={t('card.moveLines')}
              onClick={choose(() => setAsked('move'))}
            />
          ),
          <MoreItem
            key="delete"
            icon={Trash2}
            text={t('card.delete')}
            onClick={choose(() => setAsked('delete'))}
          />,
        ]}
      </MoreMenu>
      {asked === 'compare' && <CompareDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'move' && <MoveLinesDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteServerDialog server={server} onClose={() => setAsked(null)} />}
    </>
  );
}
