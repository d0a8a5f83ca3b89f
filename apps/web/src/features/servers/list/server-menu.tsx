import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Activity, ArrowRightLeft, Pencil, Scale, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreMenu } from '../../../shared/ui/overlays/more-menu.tsx';
import { CompareDialog } from '../compare/compare-dialog.tsx';
import { DeleteServerDialog } from './delete-server-dialog.tsx';
import { MoveLinesDialog } from './move-lines-dialog.tsx';

export function ServerMenu({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [asked, setAsked] = useState<'compare' | 'move' | 'delete' | null>(null);
  const params = { id: server.id };
  return (
    <>
      <MoreMenu
        label={t('card.more', { name: server.server_name })}
        entries={[
          {
            name: 'edit',
            icon: Pencil,
            text: t('card.edit'),
            link: { to: '/cccam-servers/edit/$id', params },
          },
          {
            name: 'health',
            icon: Activity,
            text: t('health.open'),
            link: { to: '/cccam-servers/health/$id', params },
          },
          { name: 'compare', icon: Scale, text: t('compare.open'), act: () => setAsked('compare') },
          server.line_count > 0 && {
            name: 'move',
            icon: ArrowRightLeft,
            text: t('card.moveLines'),
            act: () => setAsked('move'),
          },
          { name: 'delete', icon: Trash2, text: t('card.delete'), act: () => setAsked('delete') },
        ]}
      />
      {asked === 'compare' && <CompareDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'move' && <MoveLinesDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteServerDialog server={server} onClose={() => setAsked(null)} />}
    </>
  );
}
