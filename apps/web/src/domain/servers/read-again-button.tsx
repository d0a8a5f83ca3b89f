import { reloadServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

export function ReadAgainButton({ server }: { server: Pick<Server, 'id' | 'server_name'> }) {
  const { t } = useTranslation();
  const { readAgain, isPending } = useReadAgain(server);
  return (
    <Button
      size="small"
      icon={<RefreshCw />}
      aria-label={t('actionOf', { action: t('notLoaded.readAgain'), name: server.server_name })}
      pending={isPending}
      onClick={() => void readAgain()}
    >
      {t('notLoaded.readAgain')}
    </Button>
  );
}

/** Makes a card server reload its accounts, and shows the result. */
function useReadAgain({ id, server_name }: Pick<Server, 'id' | 'server_name'>) {
  const { t } = useTranslation();
  const findingText = useFindingText();
  const { send, isPending } = useCommand(reloadServer, {
    params: { id },
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: ({ applied, finding }) => {
      if (applied) results.success(t('notLoaded.done', { name: server_name }));
      else results.warning(findingText(finding), { detail: isolate(server_name) });
    },
  });
  return { readAgain: () => send(), isPending };
}
