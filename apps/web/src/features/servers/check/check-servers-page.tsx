import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Activity,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CircleX,
  ClockAlert,
  LoaderCircle,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { column, type ListColumn, titled } from '../../../shared/list/columns.tsx';
import { ListBody, ListCard, Rows } from '../../../shared/list/list-body.tsx';
import type { SizedColumn } from '../../../shared/list/table/column.ts';
import { ResponsiveTable } from '../../../shared/list/table/responsive-table.tsx';
import { isNotTaken, useNotTakenTexts } from '../../../shared/not-taken/use-not-taken-texts.ts';
import { serversHealthQuery } from '../../../shared/server-health/server-health.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Caption, Row } from '../../../shared/ui/vocabulary.tsx';
import { useUptimeText } from '../health/use-health-texts.ts';
import { NoServersPanel } from '../no-servers-panel.tsx';
import { everyServerQuery } from '../queries.ts';
import { statusTones } from '../status-tones.ts';
import { useServerProblem } from '../use-server-problem.ts';
import styles from './check-servers.module.css';
import { type CheckState, useCheckRun } from './use-check-run.ts';

export function CheckServersPage() {
  const { t } = useTranslation('servers');
  const servers = useQuery(everyServerQuery());
  const { states, isRunning, run } = useCheckRun();
  const done = [...states.values()].filter(({ kind }) => kind === 'done' || kind === 'failed');
  const all = servers.data;
  const columns = useColumns(states);
  return (
    <>
      <PageHeader
        actions={
          <Button
            variant="solid"
            icon={<Activity />}
            pending={isRunning}
            disabled={!all?.length}
            onClick={() => run(all ?? [])}
          >
            {t('test.all')}
          </Button>
        }
      />
      <Row gap="4 24" below={16} as="p" align="stretch" justify="between" wrap muted>
        <span>{t('check.text')}</span>
        <span role="status">
          {states.size > 0 && t('check.progress', { done: done.length, total: states.size })}
        </span>
      </Row>
      <ListCard label={t('check.title')} hasCards>
        <ListBody
          state={{
            count: all?.length,
            error: servers.error,
            isFetching: false,
            retry: () => servers.refetch(),
          }}
          isFiltered={false}
          toolbar={null}
          firstUse={<NoServersPanel />}
          noMatch={null}
        >
          <Rows isLoading={!all} loadingText={t('loading')}>
            {(showsSkeleton) => (
              <ResponsiveTable
                caption={t('check.title')}
                columns={columns}
                rows={all}
                showsSkeleton={showsSkeleton}
              />
            )}
          </Rows>
        </ListBody>
      </ListCard>
    </>
  );
}

/** All columns fit a window of 1280 pixels; "Fehlgeschlagen" is the longest result of a test. */
const passedWidth = { width: { size: 144, min: 128 } };
const figureWidth = { width: { min: 84 } };

function useColumns(states: ReadonlyMap<string, CheckState>): SizedColumn<Server>[] {
  const { t, i18n } = useTranslation('servers');
  const { data: health } = useQuery(serversHealthQuery());
  const uptimeText = useUptimeText();
  const healthOf = (id: string) => health?.items.find((one) => one.id === id);
  const resultOf = ({ id }: Server) => {
    const state = states.get(id);
    return state?.kind === 'done' ? state.result : undefined;
  };
  const passed = (isPassed: boolean | undefined) =>
    isPassed !== undefined && <Passed isPassed={isPassed} />;
  const latency = (milliseconds: number | null | undefined) =>
    typeof milliseconds === 'number' &&
    `${formatNumber(milliseconds, i18n.language)} ${t('card.milliseconds')}`;
  const titles: Record<string, string> = {
    server: t('check.server'),
    day: t('health.up24'),
    month: t('health.up30'),
    health: t('test.health'),
    auth: t('test.authentication'),
    version: t('test.version'),
    latency: t('card.latency'),
    result: t('check.result'),
  };
  const columns: ListColumn<Server>[] = [
    column.name('server', (server) => <Name server={server} />),
    column.money('day', ({ id }) => uptimeText(healthOf(id)?.day.uptime ?? null), figureWidth),
    column.money('month', ({ id }) => uptimeText(healthOf(id)?.month.uptime ?? null), figureWidth),
    column.badge('health', (server) => passed(resultOf(server)?.health), passedWidth),
    column.badge('auth', (server) => passed(resultOf(server)?.auth), passedWidth),
    column.text('version', (server) => optionalText(resultOf(server)?.version), { look: 'typed' }),
    column.money('latency', (server) => latency(resultOf(server)?.latency_ms), figureWidth),
    column.words('result', (server) => <Result server={server} state={states.get(server.id)} />, {
      inCard: 'line',
    }),
  ];
  return titled(columns, (id) => titles[id] ?? id);
}

const optionalText = (text: string | null | undefined) => text && <TypedText>{text}</TypedText>;

function Name({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  return (
    <>
      <Link
        className="link"
        to="/cccam-servers/health/$id"
        params={{ id: server.id }}
        aria-label={t('health.openOf', { name: server.server_name })}
      >
        <TypedText>{server.server_name}</TypedText>
      </Link>
      <Caption className={styles.address}>
        <TypedText>{server.host_ip}</TypedText>:{server.api_port}
      </Caption>
    </>
  );
}

function Passed({ isPassed }: { isPassed: boolean }) {
  const { t } = useTranslation('servers');
  const Icon = isPassed ? CircleCheck : CircleX;
  return (
    <Row
      as="span"
      inline
      gap={6}
      align="baseline"
      tone={isPassed ? undefined : 'error'}
      className={styles.passed}
    >
      <Icon size={16} color={isPassed ? 'var(--success-fg)' : undefined} />
      {t(isPassed ? 'test.passed' : 'test.notPassed')}
    </Row>
  );
}

function Result({ server, state }: { server: Server; state: CheckState | undefined }) {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const serverProblem = useServerProblem();
  if (!state) {
    return (
      <>
        <Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>
        <AgentWarnings server={server} />
      </>
    );
  }
  if (state.kind === 'waiting') return t('check.waiting');
  if (state.kind === 'testing') {
    return (
      <Row as="span" inline gap={6} muted>
        <LoaderCircle size={16} className="turning" />
        {t('check.testing')}
      </Row>
    );
  }
  if (state.kind === 'failed') return <Problem text={errorText(state.error)} />;
  const { status, finding } = state.result;
  if (status === 'active') {
    return (
      <>
        <Badge tone="success">{t('status.active')}</Badge>
        <AgentWarnings server={server} />
      </>
    );
  }
  const { problem, advice } = serverProblem(finding, server.api_port);
  return <Problem text={problem} advice={advice} />;
}

/** Warnings that the agent of an answering server has sent. */
function AgentWarnings({ server }: { server: Server }) {
  const { t } = useTranslation();
  const findingText = useFindingText();
  const texts = useNotTakenTexts();
  const { status, reload, day_finding } = server;
  if (status !== 'active') return null;
  return (
    <>
      {reload?.finding && (
        <Warning
          icon={<ClockAlert size={16} />}
          text={isNotTaken(server) ? texts(reload).title : findingText(reload.finding)}
          advice={isNotTaken(server) ? texts(reload).reason : undefined}
        />
      )}
      {day_finding && (
        <Warning
          icon={<CalendarClock size={16} />}
          text={t('notTaken.anotherDay')}
          advice={findingText(day_finding)}
        />
      )}
    </>
  );
}

interface WarningProps {
  icon: ReactNode;
  text: string;
  advice: string | undefined;
}

function Warning({ icon, text, advice }: WarningProps) {
  return (
    <Row as="span" align="start" above={4} gap={6} tone="warning" className={styles.problem}>
      {icon}
      <span>
        {text}
        {advice && <Caption>{advice}</Caption>}
      </span>
    </Row>
  );
}

function Problem({ text, advice }: { text: string; advice?: string }) {
  return (
    <Row as="span" inline align="start" gap={6} tone="error" className={styles.problem}>
      <CircleAlert size={16} />
      <span>
        {text}
        {advice && <Caption>{advice}</Caption>}
      </span>
    </Row>
  );
}
