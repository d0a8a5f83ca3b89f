import { listTopUps } from '@linekeeper/contract/credits/top-ups.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { listServers, serverFindings } from '@linekeeper/contract/servers/servers.ts';
import { listPushes } from '@linekeeper/contract/servers/sync.ts';
import { listTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { useQueries } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../../shared/api/call-query.ts';
import { useCan, useMe } from '../../../shared/data/session.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Divided, Row } from '../../../shared/ui/vocabulary.tsx';
import { useFigureText } from '../change.tsx';
import styles from '../dashboard.module.css';
import {
  FailedDeletion,
  FailedLine,
  LongName,
  ServerInError,
  ServerWithFinding,
  UnreadTicket,
  WaitingTopUp,
} from './attention-rows.tsx';

interface Page<Item> {
  items: Item[];
  total: number | null;
  total_is_exact: boolean | null;
}

interface Group {
  name: 'servers' | 'findings' | 'lines' | 'longNames' | 'deletions' | 'topUps' | 'tickets';
  page: Omit<Page<unknown>, 'items'>;
  rows: ReactNode[];
  link: LinkProps;
}

/** Only what has most need of attention is shown; a link leads to the others. */
const limit = 5;

/** Changes that wait for a card server cause no live changes. */
const PUSHES_EVERY_MS = 30_000;

/** What waits for the account: the most urgent first, and where all of a kind are. */
function useAttention() {
  const { is_admin } = useMe();
  const seesLines = useCan(['view_users']);
  const [servers, findings, lines, longNames, deletions, topUps, tickets] = useQueries({
    queries: [
      callQuery('servers', listServers, {
        query: { status: 'error', limit },
        enabled: is_admin,
      }),
      callQuery('servers', listServers, {
        query: { finding: serverFindings.join(','), limit },
        enabled: is_admin,
      }),
      callQuery('lines', listLines, {
        query: { sync_state: 'failed', limit },
        enabled: seesLines,
      }),
      callQuery('lines', listLines, {
        query: { has_long_name: 'true', limit },
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
    ],
  });
  const all = [servers, findings, lines, longNames, deletions, topUps, tickets];
  const groups: Group[] = [
    groupOf(
      'servers',
      servers.data,
      (server) => <ServerInError key={server.id} server={server} />,
      {
        to: '/cccam-servers/manage',
        search: { status: 'error' },
      },
    ),
    groupOf(
      'findings',
      findings.data,
      (server) => <ServerWithFinding key={server.id} server={server} />,
      { to: '/cccam-servers/manage', search: { finding: serverFindings.join(',') } },
    ),
    groupOf('lines', lines.data, (line) => <FailedLine key={line.id} line={line} />, {
      to: '/users/all',
      search: { sync: 'failed' },
    }),
    groupOf('longNames', longNames.data, (line) => <LongName key={line.id} line={line} />, {
      to: '/users/all',
      search: { long_name: true },
    }),
    groupOf('deletions', deletions.data, (push) => <FailedDeletion key={push.id} push={push} />, {
      to: '/cccam-servers/sync',
      search: { state: 'failed', operation: 'delete' },
    }),
    groupOf('topUps', topUps.data, (topUp) => <WaitingTopUp key={topUp.id} topUp={topUp} />, {
      to: '/payments/top-ups',
      search: { status: 'pending', method: 'transfer' },
    }),
    groupOf('tickets', tickets.data, (ticket) => <UnreadTicket key={ticket.id} ticket={ticket} />, {
      to: '/tickets',
      search: { unread: true },
    }),
  ].filter(({ rows }) => rows.length > 0);
  const failed = all.find(({ error, data }) => error && !data);
  return {
    groups,
    isLoading: all.some(({ isLoading }) => isLoading),
    error: failed?.error,
    retry: () => {
      for (const { error, refetch } of all) if (error) void refetch();
    },
  };
}

function groupOf<Item>(
  name: Group['name'],
  page: Page<Item> | undefined,
  row: (item: Item) => ReactNode,
  link: LinkProps,
): Group {
  const { items = [], total = null, total_is_exact = null } = page ?? {};
  return { name, page: { total, total_is_exact }, rows: items.map(row), link };
}

export function AttentionCard() {
  const { t } = useTranslation('dashboard');
  const { groups, isLoading, error, retry } = useAttention();
  return (
    <Card
      flush
      className={styles.listed}
      aria-label={t('attention.title')}
      title={t('attention.title')}
    >
      {groups.length > 0 && (
        <Divided className={styles.list}>
          {groups.map((group) => (
            <Fragment key={group.name}>
              {group.rows}
              <More {...group} />
            </Fragment>
          ))}
        </Divided>
      )}
      {error && <FailedPanel error={error} onRetry={retry} />}
      {groups.length === 0 && !isLoading && !error && (
        <Row as="p" gap={8} muted className={styles.nothing}>
          <CircleCheck size={20} color="var(--success-fg)" />
          {t('attention.nothing')}
        </Row>
      )}
    </Card>
  );
}

/** Leads to all of a kind where there are more than are shown. */
function More({ name, page: { total, total_is_exact }, rows, link }: Group) {
  const { t } = useTranslation('dashboard');
  const figureText = useFigureText();
  if (total === null || total <= rows.length) return null;
  const shown = figureText({ total, total_is_exact: total_is_exact === true });
  return (
    <Row as="li">
      <Link {...link} className={styles.link} data-print="none">
        {t(`attention.all.${name}`, { shown })}
      </Link>
    </Row>
  );
}
