import { listTopUps, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { getDashboard } from '@linekeeper/contract/dashboard.ts';
import { customersToTell } from '@linekeeper/contract/lines/customers.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { serverFindings } from '@linekeeper/contract/lists/lists.ts';
import { listServers } from '@linekeeper/contract/servers/servers.ts';
import { listPushes } from '@linekeeper/contract/servers/sync.ts';
import { listTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { useQueries } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../../shared/api/call-query.ts';
import { outagesQuery } from '../../../shared/data/outages.ts';
import { useCan, useMe } from '../../../shared/data/session.ts';
import { waits } from '../../../shared/lines/sync.tsx';
import { lazyPart } from '../../../shared/start/lazy-part.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Caption, Divided, Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../dashboard.module.css';
import {
  type CauseKind,
  FailedDeletion,
  FailedLine,
  LongName,
  OutOfCredits,
  ServerInError,
  ServerWithFinding,
  SeveralRows,
  UnreadTicket,
  WaitingTopUp,
} from './attention-rows.tsx';

const NeverConnected = lazyPart(() => import('./online-rows.tsx'), 'NeverConnected', {
  isPart: true,
});
const CustomersToTell = lazyPart(() => import('./customers-to-tell.tsx'), 'CustomersToTell', {
  isPart: true,
});
const RefusedLine = lazyPart(() => import('./online-rows.tsx'), 'RefusedLine', {
  isPart: true,
});
const SilentServer = lazyPart(() => import('./online-rows.tsx'), 'SilentServer', {
  isPart: true,
});

interface Page<Item> {
  items: Item[];
  total: number | null;
}

/** So many causes are shown at first. */
const SHOWN = 5;
/** More servers than this are not away at once. */
const MOST_SERVERS = 25;
/** Of a cause with many rows the first names are enough. */
const limit = 3;

/** Changes that wait for a card server cause no live changes. */
const PUSHES_EVERY_MS = 30_000;

/** What the causes are made of. */
function useAttentionQueries() {
  const { is_admin } = useMe();
  const seesLines = useCan(['view_users']);
  return useQueries({
    queries: [
      { ...outagesQuery(), enabled: seesLines },
      callQuery('servers', listServers, {
        query: { status: 'error', limit: MOST_SERVERS },
        enabled: is_admin,
      }),
      callQuery('servers', listServers, {
        query: { finding: serverFindings.join(','), limit: MOST_SERVERS },
        enabled: is_admin,
      }),
      callQuery('lines', listLines, {
        query: { sync_state: 'failed', with_below: 'false', limit },
        enabled: seesLines,
      }),
      callQuery('lines', listLines, {
        query: { has_long_name: 'true', with_below: 'false', limit },
        enabled: seesLines,
      }),
      // The line is gone, so no line says that its server still has it.
      callQuery('sync', listPushes, {
        query: { state: 'failed', operation: 'delete', limit },
        enabled: is_admin,
        refetchInterval: PUSHES_EVERY_MS,
      }),
      // Those paid by card wait for nobody.
      callQuery('top-ups', listTopUps, {
        query: { status: 'pending', method: 'transfer', sort: 'created_at', limit },
        enabled: is_admin,
      }),
      callQuery('tickets', listTickets, { query: { unread: 'true', limit } }),
      // Stale with each mark; who is on causes no live changes.
      callQuery('jobs', customersToTell, {
        enabled: seesLines,
        refetchInterval: PUSHES_EVERY_MS,
      }),
      // The page reads it anyway.
      callQuery('dashboard', getDashboard),
    ],
  });
}

function sum<Name extends string>(
  items: readonly Record<Name, number>[] | undefined,
  name: Name,
): number {
  return (items ?? []).reduce((total, one) => total + one[name], 0);
}

/** Causes that need the account's attention: a row each, the most urgent first. */
function useAttention() {
  const [
    outages,
    servers,
    findings,
    lines,
    longNames,
    deletions,
    topUps,
    tickets,
    toTell,
    figures,
  ] = useAttentionQueries();
  const all = [outages, servers, findings, lines, longNames, deletions, topUps, tickets, toTell];
  const away = outages.data?.items ?? [];
  const still = sum(servers.data?.items, 'deletions_due');
  const waiting = sum(away, 'waiting');
  const online = figures.data?.online;
  const areAway = new Set(away.map(({ server_id }) => server_id));
  const silent = (online?.servers ?? []).filter(
    ({ server_id, unknown_since }) => unknown_since !== null && !areAway.has(server_id),
  );
  const others = lines.data && {
    ...lines.data,
    items: lines.data.items.filter((line) => !(waits(line) && areAway.has(line.server_id))),
  };
  const causes = [
    // Those with lines are said by the strip above the page.
    ...(servers.data?.items ?? [])
      .filter(({ id }) => !areAway.has(id))
      .map((server) => <ServerInError key={server.id} server={server} />),
    ...(toTell.data?.items ?? [])
      .slice(0, limit)
      .map((job) => <CustomersToTell key={`tell ${job.job_id}`} job={job} />),
    ...(findings.data?.items ?? []).map((server) => (
      <ServerWithFinding key={server.id} server={server} />
    )),
    ...silent.map((server) => <SilentServer key={`silent ${server.server_id}`} server={server} />),
    ...(online?.refusals ?? [])
      .slice(0, limit)
      .map((line) => <RefusedLine key={`refused ${line.line_id}`} line={line} />),
    // Those that wait for a server are counted by the strip.
    causeOf('lines', others, waiting, (line) => <FailedLine line={line} />, nameOf),
    causeOf('deletions', deletions.data, still, (push) => <FailedDeletion push={push} />, nameOf),
    causeOf('topUps', topUps.data, 0, (topUp) => <WaitingTopUp topUp={topUp} />, buyerOf),
    causeOf('tickets', tickets.data, 0, (ticket) => <UnreadTicket ticket={ticket} />, titleOf),
    causeOf(
      'outOfCredits',
      figures.data?.out_of_credits ?? undefined,
      0,
      (account) => <OutOfCredits account={account} />,
      ({ name }) => name,
    ),
    causeOf('longNames', longNames.data, 0, (line) => <LongName line={line} />, nameOf),
    online && online.never_connected.lines > 0 ? (
      <NeverConnected key="never" {...online.never_connected} />
    ) : null,
  ].filter((cause) => cause !== null);
  const failed = all.find(({ error, data }) => error && !data);
  return {
    causes,
    error: failed?.error,
    retry: () => {
      for (const { error, refetch } of all) if (error) void refetch();
    },
  };
}

const nameOf = ({ username }: { username: string }) => username;
const titleOf = ({ title }: { title: string }) => title;
const buyerOf = ({ account_name, account_email }: TopUp) => account_name || account_email;

/** One row: what needs attention, if it is one thing; else how many there are. */
function causeOf<Item>(
  kind: CauseKind,
  page: Page<Item> | undefined,
  without: number,
  one: (item: Item) => ReactNode,
  name: (item: Item) => string,
): ReactNode {
  const { items = [], total = null } = page ?? {};
  const [first] = items;
  const count = total === null ? items.length : total - without;
  if (count <= 0) return null;
  if (first && count === 1 && items.length === 1)
    return <Fragment key={kind}>{one(first)}</Fragment>;
  return <SeveralRows key={kind} kind={kind} count={count} names={items.map(name)} />;
}

/** The first card of the dashboard: one row for each cause, the most urgent first. There is none without a cause. */
export function AttentionCard() {
  const { t } = useTranslation('dashboard');
  const { causes, error, retry } = useAttention();
  const [isWhole, setWhole] = useState(false);
  if (causes.length === 0 && !error) return null;
  return (
    <Card
      flush
      className={styles.listed}
      aria-label={t('attention.title')}
      title={t('attention.title')}
      action={<Caption>{t('attention.open', { count: causes.length })}</Caption>}
    >
      {causes.length > 0 && (
        <Divided className={styles.list}>{isWhole ? causes : causes.slice(0, SHOWN)}</Divided>
      )}
      {causes.length > SHOWN && !isWhole && (
        <Row className={styles.whole}>
          <Button variant="text" size="small" onClick={() => setWhole(true)}>
            {t('attention.showAll', { count: causes.length })}
          </Button>
        </Row>
      )}
      {error && <FailedPanel error={error} onRetry={retry} />}
    </Card>
  );
}
