import { deleteServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRightLeft, Megaphone, Pencil, Terminal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoveLinesDialog } from '#domain/lines/move/move-lines-dialog.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { results } from '#platform/state/results.ts';
import { serverQuery, useRefreshServers } from './queries.ts';

interface ServerMenuProps {
  server: Server;
  /** Called after the server was deleted, for its open page. */
  onDeleted?: () => void;
}

export function ServerMenu({ server, onDeleted }: ServerMenuProps) {
  const { t } = useTranslation('servers');
  const [asked, setAsked] = useState<'move' | 'delete' | null>(null);
  const params = { id: server.id };
  return (
    <>
      <MoreMenu
        label={t('moreOf', { name: server.server_name })}
        entries={[
          {
            name: 'edit',
            icon: Pencil,
            text: t('action.edit'),
            link: { to: '/cccam-servers/$id/edit', params },
          },
          server.line_count > 0 && {
            name: 'move',
            icon: ArrowRightLeft,
            text: t('move.confirm'),
            act: () => setAsked('move'),
          },
          server.line_count > 0 && {
            name: 'tell',
            icon: Megaphone,
            text: t('card.tell'),
            link: { to: '/messages/create', search: { server: server.id } },
          },
          server.kind === 'api' &&
            server.last_connection !== null && {
              name: 'agent',
              icon: Terminal,
              text: t('awaited.again'),
              link: { to: '/cccam-servers/$id', params, search: { agent: 'again' } },
            },
          { name: 'delete', icon: Trash2, text: t('action.delete'), act: () => setAsked('delete') },
        ]}
      />
      {asked === 'move' && <MoveLinesDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <DeleteServerDialog server={server} onDeleted={onDeleted} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface DeleteServerDialogProps {
  server: Server;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

/** Polling interval while names are being removed from the server. */
const LOOK_AGAIN_MS = 2000;

/** Deletes a server after moving its lines and removing, or giving up, its leftover names. */
function DeleteServerDialog({ server, onDeleted, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation(['servers', 'errors']);
  const refresh = useRefreshServers();
  const { data: now = server } = useQuery({
    ...serverQuery(server.id),
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (now.line_count > 0) {
    return (
      <MoveLinesDialog
        server={now}
        title={t('askDelete', { name: now.server_name })}
        text={t('errors:SERVER_HAS_LINES', { count: now.line_count })}
        onMoved={() => void refresh()}
        onClose={onClose}
      />
    );
  }
  return <EmptyServerDialog server={now} onDeleted={onDeleted} onClose={onClose} />;
}

function EmptyServerDialog({ server, onDeleted, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const { deletions_due: count, server_name: name } = server;
  const isForced = count > 0;
  const deletion = useCommand(deleteServer, {
    input: (force: boolean) => ({
      params: { id: server.id },
      query: force ? { force: 'true' as const } : {},
    }),
    refreshes: ['servers'],
  });
  return (
    <ConfirmAction
      command={deletion}
      content={isForced}
      tone="danger"
      title={t('askDelete', { name })}
      text={t('delete.text')}
      confirmLabel={t(isForced ? 'delete.anyway' : 'delete.confirm')}
      done={() => {
        results.success(t('deleted', { name }));
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <div role="status">
        {isForced && (
          <div className="mt-4 [&_a]:underline">
            <Banner tone="warning" title={t('delete.deletions', { count })}>
              <p>{t('delete.deletionsText')}</p>
              <Link to="/cccam-servers/sync" search={{ server: server.id }}>
                {t('delete.seeWaiting')}
              </Link>
            </Banner>
          </div>
        )}
      </div>
    </ConfirmAction>
  );
}
