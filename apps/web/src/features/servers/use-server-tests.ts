import { checkServers, type Server, testServer } from '@linekeeper/contract/servers/servers.ts';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { useRefreshAfterTest } from './queries.ts';
import { useServerProblem } from './use-server-problem.ts';

const TEST_KEY = ['test-server'];

/**
 * Tests a saved server. The result is shown as a toast, even after the screen was left. The
 * mutation stays pending until the card shows the new status. A failure also stays on the card, so
 * its toast disappears by itself.
 */
export function useTestServer() {
  const { t } = useTranslation('servers');
  const serverProblem = useServerProblem();
  const errorText = useErrorText();
  const refresh = useRefreshAfterTest();
  return useMutation({
    mutationKey: TEST_KEY,
    mutationFn: ({ id }: Server) => call(testServer, { params: { id } }),
    onSuccess: (result, { server_name, api_port }) => {
      if (result.status === 'active') {
        toast.success(t('test.answers', { name: server_name }));
      } else {
        const { problem } = serverProblem(result.finding, api_port);
        toast.warning(t('test.failed', { name: server_name, problem }));
      }
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: (_result, _error, { id }) => refresh(id),
  });
}

/** True while a server is being tested, from any screen. */
export function useIsTesting(id: string): boolean {
  const tested = useMutationState({
    filters: { mutationKey: TEST_KEY, status: 'pending' },
    select: (mutation) => (mutation.state.variables as Server | undefined)?.id,
  });
  return tested.includes(id);
}

export function useTestAllServers() {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const refresh = useRefreshAfterTest();
  return useMutation({
    mutationFn: () => call(checkServers),
    onSuccess: ({ items }) => {
      const failed = items.filter((item) => item.status !== 'active').length;
      if (failed === 0) toast.success(t('test.allAnswer', { count: items.length }));
      else toast.warning(t('test.someFailed', { count: failed, total: items.length }));
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => refresh(),
  });
}
