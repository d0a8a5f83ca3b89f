import {
  type AwaitedServer,
  confirmAwaitedServer,
  testAwaitedServer,
} from '@linekeeper/contract/servers/awaited.ts';
import { Check, CircleAlert, CircleCheck, Copy, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { LinkWarningText } from '#kit/ui/address-warning.tsx';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatMoment, formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
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
  const errorText = useErrorText();
  return (
    <Banner
      tone="warning"
      title={t('awaited.noCommand')}
      isAlert
      action={
        <Button size="small" onClick={retry}>
          {t('action.retry')}
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
  const { isCopied, attrs } = useCopy(() => command);
  return (
    <div className="overflow-hidden rounded-control bg-head [&_code]:block [&_code]:p-4 [&_code]:type-[400_14px/22px_var(--mono)] [&_code]:wrap-anywhere [&>p]:pt-0 [&>p]:px-4 [&>p]:pb-4">
      <div className="flex items-center justify-between gap-4 min-h-12 pt-1 pr-1 pb-1 pl-4 border-b border-b-divider [&_button]:flex-none above-phone:pe-2">
        <p className="type-strong">{t('awaited.paste')}</p>
        <Button size="small" icon={isCopied ? <Check /> : <Copy />} {...attrs}>
          {isCopied ? t('copy.done') : t('awaited.copy')}
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

type Called = NonNullable<AwaitedServer['called']>;
type Found = NonNullable<AwaitedServer['found']>;

interface AgentFoundProps {
  awaited: AwaitedServer;
  called: Called;
}

/** Facts of the agent's first call, and findings of the panel when it called back. */
function AgentFound({
  installation,
  awaited,
  called,
}: AgentFoundProps & { installation: Installation }) {
  const { t, i18n } = useTranslation('servers');
  const { found } = awaited;
  const title = t('awaited.called', { time: formatTime(Date.parse(called.at), i18n.language) });
  const { host, is_confirmed } = called;
  if (!is_confirmed)
    return <NotConfirmed installation={installation} awaited={awaited} called={called} />;
  if (!found || found.finding) {
    return <NotReached awaited={awaited} called={called} title={title} />;
  }
  const ms = formatNumber(found.latency_ms ?? 0, i18n.language);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Banner tone="success" title={title}>
        <p>{t('awaited.reached', { host, ms })}</p>
      </Banner>
      <Steps called={called} found={found} />
    </div>
  );
}

/** The question whether the address is the server's, for an administrator, because anyone who has the key can call. */
function NotConfirmed({
  installation,
  awaited: { id },
  called,
}: AgentFoundProps & { installation: Installation }) {
  const { t, i18n } = useTranslation('servers');
  const { host, at } = called;
  const { renew, isRenewing } = installation;
  const confirm = useCommand(confirmAwaitedServer, {
    params: { id },
    refreshes: ['servers'],
    isRepeatable: true,
  });
  return (
    <Banner
      tone="warning"
      title={t('awaited.calledFrom', { host, time: formatTime(Date.parse(at), i18n.language) })}
      action={
        <div className="flex items-center gap-2">
          <Button
            size="small"
            variant="solid"
            pending={confirm.isPending}
            onClick={() => void confirm.send({ host })}
          >
            {t('awaited.confirm')}
          </Button>
          <Button size="small" variant="text" pending={isRenewing} onClick={() => void renew()}>
            {t('awaited.notMine')}
          </Button>
        </div>
      }
    >
      <p>{t('awaited.confirmText')}</p>
    </Banner>
  );
}

function NotReached({ awaited, called, title }: AgentFoundProps & { title: string }) {
  const { t } = useTranslation('servers');
  const serverProblem = useServerProblem();
  const test = useCommand(testAwaitedServer, {
    params: { id: awaited.id },
    refreshes: ['servers'],
    isRepeatable: true,
  });
  const { host, api_port } = called;
  const finding = awaited.found?.finding;
  const isForbidden = finding?.data.reason === 'host not found or not allowed';
  const { problem, advice } = serverProblem(finding, { kind: 'api', api_port });
  return (
    <Banner
      tone={finding ? 'warning' : 'info'}
      title={title}
      action={
        <Button size="small" pending={test.isPending} onClick={() => void test.send()}>
          {t('action.retry')}
        </Button>
      }
    >
      {finding ? (
        <>
          <p>
            {finding.code === 'AGENT_NOT_ALLOWED'
              ? problem
              : t('awaited.notReached', { host, port: api_port, problem })}
          </p>
          <p>{isForbidden ? t('awaited.forbidden', { host }) : advice}</p>
          <p>
            <ArticleLink title={t('article')} />
          </p>
        </>
      ) : (
        <p>{t('awaited.starting', { host })}</p>
      )}
    </Banner>
  );
}

function Steps({ called, found }: { called: Called; found: Found }) {
  const { t, i18n } = useTranslation('servers');
  const findingText = useFindingText();
  const { reload, day_finding, server_day, zone } = found;
  const card_server = reload?.card_server;
  const isTaken = Boolean(reload?.by) && reload?.ok !== false && !reload?.finding;
  return (
    <ul className="divided border border-divider rounded-control">
      <Step title={t('awaited.agent', { version: called.agent_version })}>
        {t('awaited.port', { port: called.api_port })}
      </Step>
      {card_server && (
        <Step title={<TypedText>{card_server}</TypedText>}>
          {reload.started_at &&
            t('awaited.since', { time: formatMoment(reload.started_at, i18n.language) })}
        </Step>
      )}
      {reload &&
        (isTaken ? (
          <Step title={t('card.takes')}>
            {t(reload.by === 'webif' ? 'card.byWebif' : 'card.byCommand')}
          </Step>
        ) : (
          <Step isMissing title={t('awaited.takesNot')}>
            {findingText(reload.finding)}
          </Step>
        ))}
      {day_finding ? (
        <Step isMissing title={t('awaited.anotherDay')}>
          {findingText(day_finding)}
        </Step>
      ) : (
        server_day && (
          <Step title={t('page.test.sameDay')}>
            {[server_day.split('-').reverse().join('-'), zone].filter(Boolean).join(', ')}
          </Step>
        )
      )}
    </ul>
  );
}

interface StepProps {
  title: ReactNode;
  isMissing?: boolean;
  children: ReactNode;
}

/** A step; an incomplete one has the next action below it. */
function Step({ title, isMissing = false, children }: StepProps) {
  const { t } = useTranslation('servers');
  const Icon = isMissing ? CircleAlert : CircleCheck;
  return (
    <li
      className={`flex flex-wrap items-center gap-3 min-h-11 py-2 px-4 [&_svg]:flex-none ${isMissing ? '[&_svg]:text-warning-fg' : '[&_svg]:text-success-fg'}`}
    >
      <Icon size={20} aria-hidden="true" />
      <b className="type-strong">{title}</b>
      <span
        className={`text-text-2 min-w-0 wrap-anywhere ${isMissing ? 'basis-full ms-8' : 'ms-auto'}`}
      >
        {children} {isMissing && <ArticleLink title={t('article')} />}
      </span>
    </li>
  );
}
