import type { Server } from '@linekeeper/contract/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Activity, CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import { showNumber } from '../../shared/show-number.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import styles from './check-servers.module.css';
import { everyServerQuery } from './queries.ts';
import { ServerFormSkeleton } from './server-skeletons.tsx';
import { NoServers } from './servers-page.tsx';
import { statusTones } from './status-tones.ts';
import { type CheckState, useCheckRun } from './use-check-run.ts';
import { useServerMessage } from './use-server-message.ts';

/** Tests every server; each row fills as soon as its server has answered. */
export function CheckServersPage() {
  const { t } = useTranslation('servers');
  const servers = useQuery(everyServerQuery());
  const { states, isRunning, run } = useCheckRun();
  const done = [...states.values()].filter(({ kind }) => kind === 'done' || kind === 'failed');
  const all = servers.data;
  return (
    <>
      <PageHeader
        title={t('check.title')}
        back={{ to: paths.servers(), label: t('title') }}
        actions={
          <Button
            variant="solid"
            icon={<Activity aria-hidden="true" />}
            pending={isRunning}
            disabled={!all?.length}
            onClick={() => run(all ?? [])}
          >
            {t('check.run')}
          </Button>
        }
      />
      <p className={styles.intro}>
        <span>{t('check.text')}</span>
        <span role="status">
          {states.size > 0 && t('check.progress', { done: done.length, total: states.size })}
        </span>
      </p>
      {all === undefined && servers.isPending && <ServerFormSkeleton />}
      {all === undefined && servers.isError && (
        <Card>
          <FailedPanel error={servers.error} onRetry={() => servers.refetch()} />
        </Card>
      )}
      {all?.length === 0 && <NoServers />}
      {all && all.length > 0 && <Results servers={all} states={states} />}
    </>
  );
}

function Results(props: { servers: readonly Server[]; states: ReadonlyMap<string, CheckState> }) {
  const { t } = useTranslation('servers');
  return (
    <Card flush>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('check.server')}</th>
            <th scope="col">{t('test.health')}</th>
            <th scope="col">{t('test.authentication')}</th>
            <th scope="col">{t('test.version')}</th>
            <th scope="col" data-align="end">
              {t('card.latency')}
            </th>
            <th scope="col">{t('check.result')}</th>
          </tr>
        </thead>
        <tbody>
          {props.servers.map((server) => (
            <Row key={server.id} server={server} state={props.states.get(server.id)} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Row({ server, state }: { server: Server; state: CheckState | undefined }) {
  const { t, i18n } = useTranslation('servers');
  const result = state?.kind === 'done' ? state.result : undefined;
  const latency = result?.latency_ms;
  return (
    <tr>
      <th scope="row">
        {server.server_name}
        <span>
          {server.host_ip}:{server.api_port}
        </span>
      </th>
      <td data-label={t('test.health')}>{result && <Passed isPassed={result.health} />}</td>
      <td data-label={t('test.authentication')}>{result && <Passed isPassed={result.auth} />}</td>
      <td data-label={t('test.version')}>{result?.version}</td>
      <td data-label={t('card.latency')} data-align="end">
        {typeof latency === 'number' &&
          `${showNumber(latency, i18n.language)} ${t('card.milliseconds')}`}
      </td>
      <td data-part="result">
        <Result server={server} state={state} />
      </td>
    </tr>
  );
}

function Passed({ isPassed }: { isPassed: boolean }) {
  const { t } = useTranslation('servers');
  const Icon = isPassed ? CircleCheck : CircleX;
  return (
    <span className={styles.passed} data-passed={isPassed}>
      <Icon size={16} aria-hidden="true" />
      {t(isPassed ? 'test.passed' : 'test.notPassed')}
    </span>
  );
}

function Result({ server, state }: { server: Server; state: CheckState | undefined }) {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const serverMessage = useServerMessage();
  if (!state) {
    return <Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>;
  }
  if (state.kind === 'waiting') return t('check.waiting');
  if (state.kind === 'testing') {
    return (
      <span className={styles.testing}>
        <LoaderCircle size={16} aria-hidden="true" />
        {t('check.testing')}
      </span>
    );
  }
  if (state.kind === 'failed') return <Problem text={errorText(state.error)} />;
  const { status, message } = state.result;
  if (status === 'active') return <Badge tone="success">{t('status.active')}</Badge>;
  const { problem, advice } = serverMessage(message, server.api_port);
  return <Problem text={problem} advice={advice} />;
}

function Problem({ text, advice }: { text: string; advice?: string }) {
  return (
    <span className={styles.problem}>
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        {text}
        {advice && <span>{advice}</span>}
      </span>
    </span>
  );
}
