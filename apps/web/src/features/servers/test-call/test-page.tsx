import { editServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadAgainButton } from '#domain/servers/read-again-button.tsx';
import { isNotLoaded } from '#domain/servers/trouble.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { cardServerOf } from '#features/servers/use-presence-texts.ts';
import { useReloadText } from '#features/servers/use-reload-text.ts';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { useTestServer } from '#features/servers/use-server-tests.ts';
import { WebifFoundSteps } from '#features/servers/webif/webif-found.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { TestCalls } from './test-calls.tsx';

/** The tab with the result of the last test, step by step; single calls are folded below it. */
export function TestPage() {
  return (
    <ServerFrame tab="test">
      {(server) => (
        <div className="grid grid-cols-1 gap-6">
          {server.kind === 'oscam_webif' ? (
            <WebifCard server={server} />
          ) : (
            <StepsCard server={server} />
          )}
          <Calls server={server} />
        </div>
      )}
    </ServerFrame>
  );
}

function Calls({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="[&>summary]:min-h-11 [&>summary]:py-[11px] [&>summary]:px-0 [&>summary]:cursor-pointer [&>summary]:font-semibold"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('page.test.calls')}</summary>
      {isOpen && <TestCalls server={server} />}
    </details>
  );
}

type State = 'passed' | 'failed' | 'unknown';

function StepsCard({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const findingText = useFindingText();
  const { problem, advice } = useServerProblem()(server.status_finding, server);
  const takes = useReloadText()(server);
  const { status, latency_ms, status_finding, day_finding, server_day } = server;
  const isActive = status === 'active';
  const refused = status === 'error' && status_finding?.code.includes('AUTHENTICATION');
  const latency =
    latency_ms !== null && `${formatNumber(latency_ms, i18n.language)} ${t('card.milliseconds')}`;
  const answers: State = isActive || refused ? 'passed' : status === 'error' ? 'failed' : 'unknown';
  const signsIn: State = isActive ? 'passed' : refused ? 'failed' : 'unknown';
  const found = (
    <>
      {problem}
      <br />
      {advice}
    </>
  );
  const takesState = takes.tone === 'success' ? 'passed' : 'failed';
  return (
    <Card title={<CardTitle server={server} />}>
      <ol className="divided [&>li]:flex [&>li]:gap-3 [&>li]:items-start [&>li]:py-3 [&>li]:px-0 [&_svg]:flex-none [&_svg]:mt-0.5">
        <Step name={t('test.health')} state={answers}>
          {answers === 'failed' ? found : isActive && latency}
        </Step>
        <Step name={t('call.auth')} state={signsIn}>
          {signsIn === 'failed' && found}
        </Step>
        <Step
          name={t('card.takes')}
          state={isActive && takes.tone !== 'neutral' ? takesState : 'unknown'}
          action={isActive && isNotLoaded(server) && <ReadAgainButton server={server} />}
        >
          {takes.text}
        </Step>
        <Step
          name={t('page.test.sameDay')}
          state={day_finding ? 'failed' : isActive && server_day ? 'passed' : 'unknown'}
        >
          {day_finding && findingText(day_finding)}
        </Step>
      </ol>
    </Card>
  );
}

function CardTitle({ server: { last_connection } }: { server: Server }) {
  const { t } = useTranslation('servers');
  return (
    <>
      {t('page.test.steps')}
      <CardSummary>
        {last_connection ? (
          <>
            {t('card.lastConnection')}: <TimeAgo value={last_connection} />
          </>
        ) : (
          t('card.notTested')
        )}
      </CardSummary>
    </>
  );
}

/**
 * The steps of the last test of OSCam's web interface. A changed certificate is confirmed here, and tested immediately.
 */
function WebifCard({ server }: { server: Server }) {
  const { id, status, status_finding, latency_ms, api_scheme, tls_fingerprint } = server;
  const test = useTestServer();
  const confirmation = useCommand(editServer, {
    input: (fingerprint: string) => ({ params: { id }, body: { tls_fingerprint: fingerprint } }),
    refreshes: ['servers'],
    done: ({ server: confirmed }) => test.send(confirmed),
  });
  const found = {
    ...{ status, latency_ms, oscam: null },
    version: cardServerOf(server).program,
    finding: status_finding,
    tls_fingerprint: status_finding?.data.fingerprint ?? null,
  };
  return (
    <Card title={<CardTitle server={server} />}>
      {status !== 'inactive' && (
        <WebifFoundSteps
          found={found}
          certificate={api_scheme === 'https' ? tls_fingerprint : null}
          isConfirming={confirmation.isPending || test.isPending}
          onConfirm={(fingerprint) => void confirmation.send(fingerprint)}
        />
      )}
    </Card>
  );
}

const icons = {
  passed: <CircleCheck size={20} color="var(--color-success-fg)" />,
  failed: <CircleAlert size={20} color="var(--color-warning-fg)" />,
  unknown: <CircleDashed size={20} color="var(--color-text-2)" />,
};

interface StepProps {
  name: string;
  state: State;
  action?: ReactNode;
  children?: ReactNode;
}

function Step({ name, state, action, children }: StepProps) {
  const { t } = useTranslation('servers');
  const said = {
    passed: 'health.passed',
    failed: 'state.failed',
    unknown: 'recurring.unknown',
  } as const;
  return (
    <li>
      {icons[state]}
      <div className="flex-1 min-w-0 wrap-anywhere">
        <p className="type-strong">
          {name}
          <span className="visually-hidden">: {t(said[state])}</span>
        </p>
        {children && <p className="text-text-2 type-caption">{children}</p>}
        {state === 'failed' && (
          <p className="text-text-2 type-caption">
            <ArticleLink title={t('article')} />
          </p>
        )}
      </div>
      {action}
    </li>
  );
}
