import type { Server } from '@linekeeper/contract/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import styles from './dialogs.module.css';
import { MoveLinesDialog } from './move-lines-dialog.tsx';
import { serverQuery, useDeleteServer, useRefreshServers } from './queries.ts';

interface DeleteServerDialogProps {
  server: Server;
  onClose: () => void;
}

/** How soon a server's removed names are noticed. */
const LOOK_AGAIN_MS = 2000;

/** Lines are moved first; then names that are gone are removed from the server, or forgotten. */
export function DeleteServerDialog({ server, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const refresh = useRefreshServers();
  const { data: now = server } = useQuery({
    ...serverQuery(server.id),
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (now.line_count > 0) {
    return (
      <MoveLinesDialog
        server={now}
        title={t('delete.title', { name: now.server_name })}
        text={t('delete.lines', { count: now.line_count })}
        onMoved={() => void refresh()}
        onClose={onClose}
      />
    );
  }
  return <EmptyServerDialog server={now} onClose={onClose} />;
}

function EmptyServerDialog({ server, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const [idempotencyKey] = useState(newIdempotencyKey);
  const deletion = useDeleteServer(server.id);
  const { deletions_due: count, server_name: name } = server;
  const isForced = count > 0;
  const confirm = () =>
    deletion.mutate(
      { isForced, idempotencyKey },
      {
        onSuccess: () => {
          onClose();
          toast.success(t('delete.done', { name }));
        },
      },
    );
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { name })}
      text={t('delete.text')}
      confirmLabel={t(isForced ? 'delete.anyway' : 'delete.confirm')}
      pending={deletion.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div role="status">
        {isForced && (
          <div className={styles.refusal}>
            <Banner tone="warning" title={t('delete.deletions', { count })}>
              <p>{t('delete.deletionsText')}</p>
              <Link to={paths.sync()} search={{ server: server.id }}>
                {t('delete.seeWaiting')}
              </Link>
            </Banner>
          </div>
        )}
      </div>
      {deletion.error && (
        <div className={styles.refusal}>
          <Banner tone="error" title={errorText(deletion.error)} isAlert />
        </div>
      )}
    </ConfirmDialog>
  );
}
