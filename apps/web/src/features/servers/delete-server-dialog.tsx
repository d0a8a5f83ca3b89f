import type { Server } from '@linekeeper/contract/servers.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, newIdempotencyKey } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useDeleteServer } from './queries.ts';
import styles from './servers.module.css';

interface DeleteServerDialogProps {
  server: Server;
  onClose: () => void;
}

export function DeleteServerDialog({ server, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const [idempotencyKey] = useState(newIdempotencyKey);
  const deletion = useDeleteServer(server.id);
  const confirm = () =>
    deletion.mutate(idempotencyKey, {
      onSuccess: () => {
        onClose();
        toast.success(t('delete.done', { name: server.server_name }));
      },
    });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { name: server.server_name })}
      text={t('delete.text')}
      confirmLabel={t('delete.confirm')}
      pending={deletion.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {deletion.error && <Refusal error={deletion.error} serverId={server.id} />}
    </ConfirmDialog>
  );
}

function Refusal({ error, serverId }: { error: Error; serverId: string }) {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const hasLines = error instanceof ApiError && error.code === 'SERVER_HAS_LINES';
  return (
    <div className={styles.refusal}>
      <Banner tone="error" title={errorText(error)} isAlert>
        {hasLines && (
          <Link to={paths.lines()} search={{ server: serverId }}>
            {t('delete.moveLines')}
          </Link>
        )}
      </Banner>
    </div>
  );
}
