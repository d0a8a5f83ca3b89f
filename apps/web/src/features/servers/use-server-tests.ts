import type { CallInput } from '@linekeeper/contract/endpoint.ts';
import { checkServers, type Server, testServer } from '@linekeeper/contract/servers/servers.ts';
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Attempt, useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';
import { checksKey } from './queries.ts';
import { useProblemText } from './use-server-problem.ts';

/**
 * The command that tests a saved server. Its result appears in the header, even if the page was
 * left in the meantime. The command is pending until the card shows the new status. A failure also
 * stays on the card, so its message in the header disappears automatically.
 */
export function useTestServer() {
  const { t } = useTranslation('servers');
  const queryClient = useQueryClient();
  const problemText = useProblemText();
  return useCommand(testServer, {
    input: ({ id }: Server) => ({ params: { id } }),
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: (result, { id, server_name }) => {
      void queryClient.invalidateQueries({ queryKey: checksKey(id) });
      if (result.status === 'active') {
        results.success(t('test.answers', { name: server_name }));
      } else {
        const problem = problemText(result.finding);
        results.warning(t('described', { label: server_name, value: problem }));
      }
    },
  });
}

/** True while a server is being tested, from any screen. */
export function useIsTesting(id: string): boolean {
  const tested = useMutationState({
    filters: { mutationKey: [testServer.name], status: 'pending' },
    select: ({ state }) => (state.variables as Attempt).input as CallInput<typeof testServer>,
  });
  return tested.some(({ params }) => params.id === id);
}

export function useTestAllServers() {
  const { t } = useTranslation('servers');
  const queryClient = useQueryClient();
  return useCommand(checkServers, {
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: ({ items }) => {
      void queryClient.invalidateQueries({ queryKey: checksKey() });
      const failed = items.filter((item) => item.status !== 'active').length;
      if (failed === 0) results.success(t('test.allAnswer', { count: items.length }));
      else results.warning(t('test.someFailed', { count: failed, total: items.length }));
    },
  });
}
