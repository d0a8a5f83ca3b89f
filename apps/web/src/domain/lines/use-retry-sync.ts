import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import { type Line, syncLine } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { formatTime } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { type ResultOptions, results } from '#platform/state/results.ts';

/** True for the finding of a push that has had no response yet. That is no failure, because the panel retries it. */
export function isPending(finding: Line['sync_finding']): finding is Finding {
  return finding?.code === 'PUSH_PENDING';
}

interface SyncTexts {
  detail: string;
  retry: () => void;
}

interface SavedTexts extends SyncTexts {
  /** Name of the server; '' if it is unknown. */
  server: string;
}

/**
 * Shows the results of changes that were saved but are not on the server; each offers a retry unless it is only
 * pending. For a server that does not respond, a strip above every page counts the pending changes, so such a result
 * disappears. A refusal by a server concerns one line, and stays.
 */
export function useSyncResults() {
  const { t, i18n } = useTranslation();
  const findingText = useFindingText();
  const warn = (options: ResultOptions, text: string, username: string, said: SyncTexts) =>
    results.warning(text, {
      ...options,
      detail: `${isolate(username)}: ${said.detail}`,
      action: { label: t('line.sync.retry'), onClick: said.retry },
    });
  const tellPending = (username: string, finding: Finding) =>
    results.info(findingText(finding), {
      detail: `${isolate(username)}: ${t('line.sync.deliversLater')}`,
    });
  return {
    saved: (username: string, finding: Line['sync_finding'], said: SavedTexts) => {
      const { server, detail, retry } = said;
      if (finding?.code === 'PUSH_NOT_REACHED' && server) {
        results.warning(t('line.sync.waitsFor', { username, server }), {
          detail,
          action: { label: t('line.sync.retry'), onClick: retry },
        });
      } else if (isPending(finding)) tellPending(username, finding);
      else warn({ stays: true }, findingText(finding), username, said);
    },
    stillRefused: (username: string, finding: Line['sync_finding'], retry: () => void) => {
      if (isPending(finding)) return tellPending(username, finding);
      const time = formatTime(Date.now(), i18n.language);
      const said = { detail: findingText(finding), retry };
      // The result stays, because a person requested the retry and waits for it.
      warn({ stays: true }, t('line.sync.stillRefused', { time }), username, said);
    },
  };
}

type Synced = Pick<Reply<typeof syncLine>, 'sync' | 'sync_finding'>;

/** The command that delivers a line to its server now, and shows the result. */
export function useRetrySync({
  id,
  username,
  server_id,
}: Pick<Line, 'id' | 'username' | 'server_id'>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const told = useSyncResults();
  const { send, isPending } = useCommand(syncLine, {
    params: { id },
    refreshes: ['lines', 'me'],
    isRepeatable: true,
    done: ({ sync, sync_finding }) => {
      if (sync.ok) results.success(t('line.sync.done', { username }));
      else told.stillRefused(username, sync_finding, () => void send());
    },
  });
  return {
    retry: () => send(),
    /**
     * Shows the result of a change: that it is done, or `saved` if the server, by default the line's present one, has
     * not accepted it.
     */
    tell: ({ sync, sync_finding }: Synced, done: string, saved: string, serverId = server_id) => {
      if (sync.ok) return results.success(done);
      const servers = queryClient.getQueryData(serverChoicesQuery().queryKey) ?? [];
      const server = servers.find((one) => one.id === serverId)?.server_name ?? '';
      told.saved(username, sync_finding, { server, detail: saved, retry: () => void send() });
    },
    isPending,
  };
}
