import { Check, Copy, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkWarningText } from '#kit/ui/address-warning.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { Muted, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import styles from './agent.module.css';
import { AgentFound } from './agent-found.tsx';
import type { Awaiting } from './use-awaited.ts';

interface AgentCardProps {
  awaiting: Awaiting;
  title?: string;
  /** The purpose of the command. */
  explained?: string;
  action?: ReactNode;
}

/** The command that installs the agent, and then what came of it, as a card of a server's page. */
export function AgentCard({ awaiting, title, explained, action }: AgentCardProps) {
  const { t } = useTranslation('servers');
  return (
    <Card title={title ?? t('awaited.title')} action={action} className="form-width">
      <Stack gap={16}>
        {!awaiting.awaited?.called && <Muted as="p">{explained ?? t('awaited.explained')}</Muted>}
        <AgentCommand awaiting={awaiting} />
      </Stack>
    </Card>
  );
}

/** The command that installs the agent, and then what came of it. */
export function AgentCommand({ awaiting }: { awaiting: Awaiting }) {
  const { awaited, command, error } = awaiting;
  return (
    <>
      {error && !awaited && <NoCommand awaiting={awaiting} />}
      {command && !awaited?.called && <CommandBox command={command} />}
      <div role="status">
        {awaited?.called ? (
          <AgentFound awaiting={awaiting} awaited={awaited} called={awaited.called} />
        ) : (
          awaited && <Waiting awaiting={awaiting} expires_at={awaited.expires_at} />
        )}
      </div>
    </>
  );
}

function NoCommand({ awaiting: { error, retry } }: { awaiting: Awaiting }) {
  const { t } = useTranslation('servers');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  return (
    <Banner
      tone="warning"
      title={t('awaited.noCommand')}
      isAlert
      action={
        <Button size="small" onClick={retry}>
          {common('action.retry')}
        </Button>
      }
    >
      <p>{errorText(error)}</p>
    </Banner>
  );
}

/** A command with its button to copy it. */
function CommandBox({ command }: { command: string }) {
  const { t } = useTranslation('servers');
  const { t: common } = useTranslation();
  const { isCopied, copy, reached } = useCopy(() => command);
  return (
    <div className={styles.command}>
      <Row justify="between" gap={16} className={styles.head}>
        <Strong as="p">{t('awaited.paste')}</Strong>
        <Button size="small" icon={isCopied ? <Check /> : <Copy />} {...reached} onClick={copy}>
          {isCopied ? common('copy.done') : t('awaited.copy')}
        </Button>
      </Row>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command may have to be scrolled by keyboard */}
      <code tabIndex={0}>{command}</code>
      <LinkWarningText text={command} />
    </div>
  );
}

function Waiting({ awaiting, expires_at }: { awaiting: Awaiting; expires_at: string }) {
  const { t, i18n } = useTranslation('servers');
  const { command, hasEnded, renew, isRenewing } = awaiting;
  const newKey = (
    <Button size="small" variant="text" pending={isRenewing} onClick={() => void renew()}>
      {t('awaited.newKey')}
    </Button>
  );
  if (hasEnded) {
    return (
      <Banner tone="warning" title={t('awaited.ended')} action={newKey}>
        <p>{t('awaited.endedText')}</p>
      </Banner>
    );
  }
  const time = formatTime(Date.parse(expires_at), i18n.language);
  return (
    <Row align="start" gap={12} className={styles.waiting}>
      <LoaderCircle className="turning" size={20} aria-hidden="true" />
      <div>
        <Strong as="p">{t('awaited.waiting')}</Strong>
        <Muted as="p">{t(command ? 'awaited.waitingText' : 'awaited.storedText', { time })}</Muted>
      </div>
      {newKey}
    </Row>
  );
}
