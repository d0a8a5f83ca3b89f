import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { endSessions } from '@linekeeper/contract/lines/usage.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

/** The command that ends all sessions of a line, which may reconnect immediately. */
export function useEndSessions({ id, username }: Pick<Line, 'id' | 'username'>) {
  const { t } = useTranslation();
  const findingText = useFindingText();
  return useCommand(endSessions, {
    params: { id },
    refreshes: ['lines'],
    isRepeatable: true,
    done: ({ ended, finding }) => {
      if (finding) {
        results.warning(t('presence.notEnded', { username }), { detail: findingText(finding) });
      } else results.success(t('presence.ended', { count: ended, username }));
    },
  });
}
