import type { Finding } from '@linekeeper/contract/findings.ts';
import { type Line, syncLine } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { formatTime } from '../format/format-moment.ts';
import { isolate } from '../i18n/isolate.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { type ResultOptions, results } from '../state/results.ts';

/** The server has not answered yet, which is no failure: the panel goes on by itself. */
export function isPending(finding: Line['sync_finding']): finding is Finding {
  return finding?.code === 'PUSH_PENDING';
}

/**
 * How long a change is told that its server has not got. One that is away has a strip above every page,
 * which counts what waits. What a server refuses is about one line, and stays.
 */
function optionsOf(finding: Line['sync_finding']): ResultOptions {
  return finding?.code === 'PUSH_NOT_REACHED' ? {} : { stays: true };
}

interface SyncTexts {
  detail: string;
  retry: () => void;
}

/**
 * Results of changes saved but not on the server; they offer a retry, except for what is only pending.
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
    saved: (username: string, finding: Line['sync_finding'], detail: string, retry: () => void) => {
      if (isPending(finding)) tellPending(username, finding);
      else warn(optionsOf(finding), findingText(finding), username, { detail, retry });
    },
    stillRefused: (username: string, finding: Line['sync_finding'], retry: () => void) => {
      if (isPending(finding)) return tellPending(username, finding);
      const time = formatTime(Date.now(), i18n.language);
      const said = { detail: findingText(finding), retry };
      // Somebody asked for it, and waits for the answer.
      warn({ stays: true }, t('line.sync.stillRefused', { time }), username, said);
    },
  };
}

/** Pushes a line to its server at once and reports the result. */
export function useRetrySync({ id, username }: Pick<Line, 'id' | 'username'>) {
  const { t } = useTranslation();
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
    /** Warns after a change that was saved but not accepted by the server. */
    warn: (finding: Line['sync_finding'], detail: string) =>
      told.saved(username, finding, detail, () => void send()),
    isPending,
  };
}
