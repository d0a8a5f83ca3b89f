import { listTopUps, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { getDashboard } from '@linekeeper/contract/dashboard.ts';
import { customersToTell } from '@linekeeper/contract/lines/customers.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { serverFindings } from '@linekeeper/contract/lists/lists.ts';
import { listServers, type Server } from '@linekeeper/contract/servers/servers.ts';
import { listPushes } from '@linekeeper/contract/servers/sync.ts';
import { listTickets } from '@linekeeper/contract/tickets/tickets.ts';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LineLink } from '#domain/lines/line-link.tsx';
import { waits } from '#domain/lines/sync.tsx';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { type TroubleCause, troublesOf } from '#domain/servers/trouble.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import {
  type AttentionRow,
  type CauseKind,
  rowOf,
  rowOfSeveral,
  useSays,
} from './attention-rows.tsx';

interface Page<Item> {
  items: Item[];
  total: number | null;
}

/** Causes that are shown at first, at most. */
const SHOWN = 5;
/** Servers that are fetched; more are hardly ever away together. */
const MOST_SERVERS = 25;
/** The first names are enough for a cause with many rows. */
const limit = 3;

/** Milliseconds between refetches, because pending changes of a card server cause no live changes. */
const PUSHES_EVERY_MS = 30_000;

/** The data from which causes are made. */
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
      // The line was deleted, so only its push shows that its server still has it.
      callQuery('sync', listPushes, {
        query: { state: 'failed', operation: 'delete', limit },
        enabled: is_admin,
        refetchInterval: PUSHES_EVERY_MS,
      }),
      // Orders that are paid by card need no administrator.
      callQuery('top-ups', listTopUps, {
        query: { status: 'pending', method: 'transfer', sort: 'created_at', limit },
        enabled: is_admin,
      }),
      callQuery('tickets', listTickets, { query: { unread: 'true', limit } }),
      // This query becomes stale with each mark, but customers who come online cause no live change.
      callQuery('jobs', customersToTell, {
        enabled: seesLines,
        refetchInterval: PUSHES_EVERY_MS,
      }),
      // The page fetches this query in any case.
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

/** The causes that need the account's attention: a row each, the most urgent first. */
function useAttention() {
  const saying = useSays();
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
  const troubled = (server: Server, causes: readonly TroubleCause[]) =>
    troublesOf(server)
      .filter(({ cause }) => causes.includes(cause))
      .slice(0, 1)
      .map((trouble) => rowOf.server({ server, trouble }, saying));
  const causes = [
    // The strip above the page shows the servers with lines.
    ...(servers.data?.items ?? [])
      .filter(({ id }) => !areAway.has(id))
      .flatMap((server) => troubled(server, ['noAnswer', 'noAccess'])),
    ...(toTell.data?.items ?? []).slice(0, limit).map((job) => rowOf.toTell(job, saying)),
    ...(findings.data?.items ?? []).flatMap((server) =>
      troubled(server, ['notLoaded', 'dayHeld', 'anotherDay']),
    ),
    ...silent.map((server) => rowOf.silent(server, saying)),
    ...(online?.refusals ?? []).slice(0, limit).map((line) => rowOf.refused(line, saying)),
    // The strip counts the changes that are pending for a server.
    ...causeOf('lines', others, waiting, nameOf, saying),
    ...causeOf('deletions', deletions.data, still, nameOf, saying),
    ...causeOf('topUps', topUps.data, 0, buyerOf, saying),
    ...causeOf('tickets', tickets.data, 0, titleOf, saying),
    ...causeOf('outOfCredits', figures.data?.out_of_credits, 0, ({ name }) => name, saying),
    ...(figures.data?.auto_renewals
      ? [rowOf.autoRenewals(figures.data.auto_renewals, saying)]
      : []),
    ...causeOf('longNames', longNames.data, 0, nameOf, saying),
    ...(online && online.never_connected.lines > 0
      ? [rowOf.never(online.never_connected, saying)]
      : []),
  ];
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

type AboutOf<Kind extends CauseKind> = Parameters<(typeof rowOf)[Kind]>[0];

/** The row of a cause: the item itself if there is one, otherwise their number. */
function causeOf<Kind extends CauseKind>(
  kind: Kind,
  page: Page<AboutOf<Kind>> | null | undefined,
  without: number,
  name: (item: AboutOf<Kind>) => string,
  saying: ReturnType<typeof useSays>,
): AttentionRow[] {
  const { items = [], total = null } = page ?? {};
  const [first] = items;
  const count = total === null ? items.length : total - without;
  if (count <= 0) return [];
  const row = rowOf[kind] as (item: AboutOf<Kind>, says: typeof saying) => AttentionRow;
  if (first && count === 1 && items.length === 1) return [row(first, saying)];
  return [rowOfSeveral({ kind, count, names: items.map(name) }, saying)];
}

function Cause({ tone, icon: Icon, title, to, lineId, caption, action }: AttentionRow) {
  const link = typeof action === 'string' ? { text: action, to } : action;
  return (
    <li className="flex items-center gap-4 phone:gap-3">
      <IconTile tone={tone} className="only-wide">
        <Icon size={20} />
      </IconTile>
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere small-phone:basis-full">
        {lineId ? (
          <LineLink id={lineId} className="min-w-0 wrap-anywhere type-strong hover:underline">
            {title}
          </LineLink>
        ) : (
          <Link {...to} className="min-w-0 wrap-anywhere type-strong hover:underline">
            {title}
          </Link>
        )}
        <small>{caption}</small>
      </span>
      {'button' in link ? (
        link.button
      ) : (
        <ButtonLink {...link.to} size="small" aria-label={`${link.text}: ${title}`}>
          {link.text}
        </ButtonLink>
      )}
    </li>
  );
}

/**
 * The first card of the dashboard, "Needs attention": a row for each cause, the most urgent first. Renders nothing if
 * there is no cause.
 */
export function AttentionCard() {
  const { t } = useTranslation('dashboard');
  const { causes, error, retry } = useAttention();
  const [isWhole, setWhole] = useState(false);
  if (causes.length === 0 && !error) return null;
  return (
    <Card
      flush
      className="[&>:first-child]:items-start"
      aria-label={t('attention.title')}
      title={t('attention.title')}
    >
      {causes.length > 0 && (
        <ul className="divided [&>li]:min-h-16 [&>li]:py-3 [&>li]:px-(--card-pad) [&>li>:is(a,button)]:flex-none small-phone:[&>li]:flex-wrap small-phone:[&>li]:justify-between">
          {(isWhole ? causes : causes.slice(0, SHOWN)).map(({ key, ...cause }) => (
            <Cause key={key} {...cause} />
          ))}
        </ul>
      )}
      {causes.length > SHOWN && !isWhole && (
        <div className="flex items-center pt-0 px-[calc(var(--card-pad)_-_8px)] pb-2">
          <Button variant="text" size="small" onClick={() => setWhole(true)}>
            {t('attention.showAll', { count: causes.length })}
          </Button>
        </div>
      )}
      {error && <FailedPanel error={error} onRetry={retry} />}
    </Card>
  );
}
