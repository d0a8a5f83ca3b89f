import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { type TakenOver, takeOverRows } from '@linekeeper/contract/servers/take-over.ts';
import { FileCheck, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { PlainList } from '../../../shared/list/plain-list.tsx';
import { results } from '../../../shared/state/results.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Caption, Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../servers.module.css';

interface TakeOverButtonProps {
  server: Server;
  onDone: (result: TakenOver) => void;
}

function TakeOverButton({ server, onDone }: TakeOverButtonProps) {
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

/** Rows that the agent left to the operator, each with the reason, or why it was not asked. */
function LeftRows({ result }: { result: TakenOver }) {
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
              <li>{t('compare.more', { count: refused.count - refused.items.length })}</li>
            )}
          </PlainList>
        </section>
      )}
    </>
  );
}

/** On a server's card: lines whose old rows still decide there. */
export function KeptByHand({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [result, setResult] = useState<TakenOver>();
  return (
    <Row align="stretch" wraps className={styles.problem} data-tone="warning">
      <TriangleAlert size={18} />
      <div>
        <p>{t('takeOver.title', { count: server.kept_by_hand })}</p>
        <Caption above={4} as="p">
          {t('takeOver.advice')}
        </Caption>
        {result && <LeftRows result={result} />}
        <TakeOverButton server={server} onDone={setResult} />
      </div>
    </Row>
  );
}

export function KeptByHandBanner({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [result, setResult] = useState<TakenOver>();
  if (server.kept_by_hand === 0) return null;
  return (
    <div className={styles.banner}>
      <Banner
        tone="warning"
        title={t('takeOver.title', { count: server.kept_by_hand })}
        action={<TakeOverButton server={server} onDone={setResult} />}
      >
        <p>{t('takeOver.advice')}</p>
        {result && <LeftRows result={result} />}
      </Banner>
    </div>
  );
}
