import {
  type AwaitedServer,
  confirmAwaitedServer,
  testAwaitedServer,
} from '@linekeeper/contract/servers/awaited.ts';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatMoment, formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import type { Installation } from './use-agent-installation.ts';

type Called = NonNullable<AwaitedServer['called']>;
type Found = NonNullable<AwaitedServer['found']>;

interface AgentFoundProps {
  awaited: AwaitedServer;
  called: Called;
}

/** Facts of the agent's first call, and findings of the panel when it called back. */
export function AgentFound({
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
