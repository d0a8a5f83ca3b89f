import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type Server, testServer } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { useRename } from '#domain/lines/name-problem.tsx';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

export function RetryButton({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const { retry, isPending } = useRetrySync(line);
  return (
    <Button
      size="small"
      aria-label={t('line.sync.retryOf', { username: line.username })}
      pending={isPending}
      onClick={() => void retry()}
    >
      {t('line.sync.retry')}
    </Button>
  );
}

export function RenameButton({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const { label, ...rename } = useRename(line);
  return (
    <Button {...rename} size="small" aria-label={label}>
      {t('action.rename')}
    </Button>
  );
}

export function TestButton({
  server: { id, server_name: name },
}: {
  server: Pick<Server, 'id' | 'server_name'>;
}) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const test = useCommand(testServer, {
    params: { id },
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: ({ status, finding }) => {
      if (status === 'active') results.success(t('attention.answers', { name }));
      else
        results.warning(t('recurring.notResponding', { name }), { detail: findingText(finding) });
    },
  });
  return (
    <Button
      size="small"
      aria-label={t('actionOf', { action: t('attention.test'), name })}
      pending={test.isPending}
      onClick={() => void test.send()}
    >
      {t('attention.test')}
    </Button>
  );
}
