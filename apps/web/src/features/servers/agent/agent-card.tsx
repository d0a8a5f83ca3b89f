import { Check, Copy, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkWarningText } from '#kit/ui/address-warning.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { AgentFound } from './agent-found.tsx';
import type { Installation } from './use-agent-installation.ts';

interface AgentCardProps {
  installation: Installation;
  title?: string;
  /** The purpose of the command. */
  explained?: string;
  action?: ReactNode;
}

/** The card on a server's page with the command that installs its agent, and the state of the agent's calls. */
export function AgentCard({ installation, title, explained, action }: AgentCardProps) {
  const { t } = useTranslation('servers');
  return (
    <Card title={title ?? t('awaited.title')} action={action} className="form-width">
      <div className="grid grid-cols-1 gap-4">
        {explained && !installation.awaited?.called && <p className="text-text-2">{explained}</p>}
        <AgentCommand installation={installation} />
      </div>
    </Card>
  );
}

/** The command that installs the agent, followed by the result of the installation. */
export function AgentCommand({ installation }: { installation: Installation }) {
  const { awaited, command, error } = installation;
  return (
    <>
      {error && !awaited && <NoCommand installation={installation} />}
      {command && !awaited?.called && <CommandBox command={command} />}
      <div role="status">
        {awaited?.called ? (
          <AgentFound installation={installation} awaited={awaited} called={awaited.called} />
        ) : (
          awaited && <Waiting installation={installation} expires_at={awaited.expires_at} />
        )}
      </div>
    </>
  );
}

function NoCommand({ installation: { error, retry } }: { installation: Installation }) {
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

/** A command with a button that copies it. */
function CommandBox({ command }: { command: string }) {
  const { t } = useTranslation('servers');
  const { t: common } = useTranslation();
  const { isCopied, copy, reached } = useCopy(() => command);
  return (
    <div className="overflow-hidden rounded-control bg-head [&_code]:block [&_code]:p-4 [&_code]:type-[400_14px/22px_var(--mono)] [&_code]:wrap-anywhere [&>p]:pt-0 [&>p]:px-4 [&>p]:pb-4">
      <div className="flex items-center justify-between gap-4 min-h-12 pt-1 pr-1 pb-1 pl-4 border-b border-b-divider [&_button]:flex-none above-phone:pe-2">
        <p className="type-strong">{t('awaited.paste')}</p>
        <Button size="small" icon={isCopied ? <Check /> : <Copy />} {...reached} onClick={copy}>
          {isCopied ? common('copy.done') : t('awaited.copy')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command may have to be scrolled by keyboard */}
      <code tabIndex={0}>{command}</code>
      <LinkWarningText text={command} />
    </div>
  );
}

function Waiting({ installation, expires_at }: { installation: Installation; expires_at: string }) {
  const { t, i18n } = useTranslation(['servers', 'errors']);
  const { hasEnded, renew, isRenewing } = installation;
  const newKey = (
    <Button size="small" variant="text" pending={isRenewing} onClick={() => void renew()}>
      {t('awaited.newKey')}
    </Button>
  );
  if (hasEnded) {
    return <Banner tone="warning" title={t('awaited.ended')} action={newKey} />;
  }
  const time = formatTime(Date.parse(expires_at), i18n.language);
  return (
    <div className="flex items-start gap-3 py-3 px-4 border border-divider rounded-control [&>div]:flex-1 [&>div]:min-w-0 [&>svg]:flex-none [&>svg]:mt-px [&>svg]:text-primary phone:flex-wrap phone:[&>div]:basis-[calc(100%_-_48px)] phone:[&>button]:ms-6">
      <LoaderCircle className="turning" size={20} aria-hidden="true" />
      <div>
        <p className="type-strong">{t('errors:AGENT_NOT_CALLED')}</p>
        <p className="text-text-2">{t('awaited.waitingText', { time })}</p>
      </div>
      {newKey}
    </div>
  );
}
