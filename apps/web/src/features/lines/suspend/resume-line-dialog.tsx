import { formatDay } from '@linekeeper/contract/dates.ts';
import { resumeLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useServerName } from '#domain/lines/sync.tsx';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { RefusedChange } from '#features/lines/refused-change.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';

export function ResumeLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const server = useServerName(line.server_id);
  const { username, expiry_date } = line;
  const resumption = useCommand(resumeLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me'],
  });
  return (
    <ConfirmAction
      command={resumption}
      content={{}}
      title={t('resume.title', { username })}
      text={t('resume.text', { server, day: formatDay(expiry_date) })}
      confirmLabel={t('resume.confirm')}
      done={({ sync, sync_finding }) => {
        if (sync.ok) results.success(t('resume.done', { username }));
        else warn(sync_finding, t('line.sync.saved'));
      }}
      refusal={(error) => <RefusedChange error={error} retryAdvice={t('suspend.retryAdvice')} />}
      onClose={onClose}
    />
  );
}
