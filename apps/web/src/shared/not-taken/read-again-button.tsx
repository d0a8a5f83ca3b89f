import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/buttons/button.tsx';
import { useNeedsConnection } from '../ui/use-needs-connection.ts';
import { useReadAgain } from './use-read-again.ts';

export function ReadAgainButton({ server }: { server: Pick<Server, 'id' | 'server_name'> }) {
  const { t } = useTranslation();
  const { readAgain, isPending } = useReadAgain(server);
  return (
    <Button
      size="small"
      icon={<RefreshCw aria-hidden="true" />}
      aria-label={t('notTaken.readAgainOf', { name: server.server_name })}
      blocked={useNeedsConnection()}
      pending={isPending}
      onClick={() => void readAgain()}
    >
      {t('notTaken.readAgain')}
    </Button>
  );
}
