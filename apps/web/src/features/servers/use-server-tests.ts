import { checkServers, type Server, testServer } from '@linekeeper/contract/servers.ts';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useRefreshServers } from './queries.ts';
import { useServerMessage } from './use-server-message.ts';

const TEST_KEY = ['test-server'];

/**
 * Tests a saved server. The result is told in a toast, also when the screen that asked is gone;
 * the call stays pending until the card shows the new status. What is wrong stays on the card, so
 * the toast need not stay.
 */
export function useTestServer() {
  const { t } = useTranslation('servers');
  const serverMessage = useServerMessage();
  const errorText = useErrorText();
  return useMutation({
    mutationKey: TEST_KEY,
    mutationFn: ({ id }: Server) => call(testServer, { params: { id } }),
    onSuccess: (result, { server_name, api_port }) => {
      if (result.status === 'active') {
        toast.success(t('test.answers', { name: server_name }));
      } else {
        const { problem } = serverMessage(result.message, api_port);
        toast.warning(t('test.failed', { name: server_name, problem }));
      }
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: useRefreshServers(),
  });
}

/** Whether a server is being tested, from wherever the test was started. */
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
  return useMutation({
    mutationFn: () => call(checkServers),
    onSuccess: ({ items }) => {
      const failed = items.filter((item) => item.status !== 'active').length;
      if (failed === 0) toast.success(t('test.allAnswer', { count: items.length }));
      else toast.warning(t('test.someFailed', { count: failed, total: items.length }));
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: useRefreshServers(),
  });
}
