import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { type TakenOver, takeOverRows } from '@linekeeper/contract/servers/take-over.ts';
import { FileCheck } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { PlainList } from '#kit/list/plain-list.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

interface TakeOverButtonProps {
  server: Server;
  onDone: (result: TakenOver) => void;
}

export function TakeOverButton({ server, onDone }: TakeOverButtonProps) {
  const { t } = useTranslation('servers');
  const takeOver = useCommand(takeOverRows, {
    params: { id: server.id },
    refreshes: ['servers'],
    done: (result) => {
      if (result.taken > 0) results.success(t('takeOver.done', { count: result.taken }));
      onDone(result);
    },
  });
  return (
    <Button
      size="small"
      icon={<FileCheck />}
      pending={takeOver.isPending}
      onClick={() => void takeOver.send()}
    >
      {t('takeOver.confirm')}
    </Button>
  );
}

/** Rows that the agent did not take over, each with the reason, or the reason why it was not asked. */
export function LeftRows({ result }: { result: TakenOver }) {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  const id = useId();
  const { refused, finding } = result;
  return (
    <>
      {finding && <p role="alert">{findingText(finding)}</p>}
      {refused.count > 0 && (
        <section aria-labelledby={id}>
          <p id={id} role="status">
            {t('takeOver.left', { count: refused.count })}
          </p>
          <PlainList labelledBy={id}>
            {refused.items.map(({ username, reason }) => (
              <li key={username}>
                <TypedText>{t(`takeOver.reason.${reason}`, { username })}</TypedText>
              </li>
            ))}
            {refused.count > refused.items.length && (
              <li>{t('more', { count: refused.count - refused.items.length })}</li>
            )}
          </PlainList>
        </section>
      )}
    </>
  );
}
