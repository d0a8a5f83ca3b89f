import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Comparison } from '@linekeeper/contract/servers/compare.ts';
import { editServer, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Merge, RefreshCw, Scale, Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { comparisonQuery, differencesOf, useMend } from '#features/servers/queries.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { Troubles } from '#features/servers/trouble/troubles.tsx';
import { useProblemText } from '#features/servers/use-server-problem.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { results } from '#platform/state/results.ts';
import { type Difference, DifferenceRows } from './difference-rows.tsx';

/** The tab with the differences between the panel and the server, and the buttons that repair them. */
export function DifferencesPage() {
  return (
    <ServerFrame tab="differences">
      {(server) => (
        <>
          <Troubles server={server} only={['lost', 'keptByHand']} />
          <Differences server={server} />
        </>
      )}
    </ServerFrame>
  );
}

function Differences({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const problemText = useProblemText();
  const comparison = useQuery(comparisonQuery(server.id));
  const { data, error, isFetching, refetch, dataUpdatedAt } = comparison;
  const again = (
    <Button
      icon={<RefreshCw aria-hidden="true" />}
      pending={isFetching}
      onClick={() => void refetch()}
    >
      {t('compare.again')}
    </Button>
  );
  if (error) {
    return <FailedCard error={error} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <Card role="status">
        <EmptyPanel icon={<Scale />} title={t('compare.loading')} />
      </Card>
    );
  }
  if (!data.offered) {
    const problem = problemText(data.finding);
    return (
      <Card title={t('page.differences')} action={again}>
        <div className="grid grid-cols-1 gap-4">
          <Banner tone="warning" title={problem} />
          <Mend server={server} comparison={data} />
        </div>
      </Card>
    );
  }
  const count = differencesOf(data);
  const at = t('compare.at', { time: formatTime(dataUpdatedAt, i18n.language) });
  return (
    <Card
      className="[&>:first-child]:phone:flex-wrap [&>:first-child]:phone:gap-4 [&>:first-child]:phone:[&>h2]:basis-full [&>:first-child]:phone:[&>button]:mx-0"
      title={
        <>
          {count === 0 ? t('page.differences') : t('compare.title', { count })}
          <CardSummary>{at}</CardSummary>
        </>
      }
      action={again}
    >
      <div className="grid grid-cols-1 gap-4" role="status">
        {data.elsewhere.map((other) => (
          <SameCardServer key={other.id} server={server} other={other} />
        ))}
        {count === 0 ? (
          <EmptyPanel icon={<CircleCheck />} title={t('compare.sameTitle')} />
        ) : (
          <DifferenceRows server={server} rows={rowsOf(data)} count={count} />
        )}
        {data.due > 0 && <p>{t('compare.queued', { count: data.due })}</p>}
        <Mend server={server} comparison={data} />
      </div>
    </Card>
  );
}

/** The rows, starting with those that need an action of a person. */
function rowsOf({
  missing,
  different,
  suspended,
  unknown,
  by_hand,
  other_panel,
}: Comparison): Difference[] {
  return [
    ...missing.items.map((username) => ({ kind: 'missing' as const, username })),
    ...different.items.map(({ username, expiry_date, on_server }) => ({
      kind: 'different' as const,
      username,
      panel: formatDay(expiry_date),
      server: on_server && formatDay(on_server),
    })),
    ...suspended.items.map((username) => ({ kind: 'suspended' as const, username })),
    ...unknown.items.map((username) => ({ kind: 'unknown' as const, username })),
    ...by_hand.items.map((username) => ({ kind: 'byHand' as const, username })),
    ...other_panel.items.map((username) => ({ kind: 'otherPanel' as const, username })),
  ];
}

interface MendProps {
  server: Server;
  comparison: Comparison;
}

/** The button that delivers the missing accounts again, or all accounts if the server has no list. */
function Mend({ server, comparison }: MendProps) {
  const { t } = useTranslation('servers');
  const [removesUnknown, setRemovesUnknown] = useState(false);
  const { offered, missing, different, suspended, unknown } = comparison;
  const mend = useMend(server, { done: () => setRemovesUnknown(false) });
  const hasUnknown = unknown.count > 0;
  const toSend = missing.count + different.count + suspended.count;
  // A server that is known to have lost accounts can be repaired even if no differences are listed.
  const isUnknown = !offered || server.accounts_missing > 0;
  if (!isUnknown && toSend === 0 && !hasUnknown) return null;
  return (
    <div className="flex items-center flex-wrap justify-between gap-y-3 gap-x-6">
      {hasUnknown ? (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={removesUnknown}
            onChange={({ target }) => setRemovesUnknown(target.checked)}
          />
          {t('compare.removeUnknown')}
        </label>
      ) : (
        <span />
      )}
      {(isUnknown || toSend > 0 || removesUnknown) && (
        <Button
          variant="solid"
          icon={<Send aria-hidden="true" />}
          pending={mend.isPending}
          onClick={() => void mend.send({ remove_unknown: removesUnknown })}
        >
          {t(offered ? 'compare.mend' : 'compare.mendAll')}
        </Button>
      )}
    </div>
  );
}

interface SameCardServerProps {
  server: Server;
  other: Comparison['elsewhere'][number];
}

/** Asks whether two servers of the panel are one card server. The marks of accounts suggest it, but do not prove it. */
function SameCardServer({ server, other }: SameCardServerProps) {
  const { t } = useTranslation('servers');
  const names = { name: server.server_name, other: other.server_name };
  const edit = useCommand(editServer, {
    input: (same_machine_as: string | null) => ({
      params: { id: server.id },
      body: { same_machine_as },
    }),
    refreshes: ['servers', 'server-comparison'],
  });
  const join = () =>
    void edit.send(other.id, {
      done: () =>
        results.success(t('sameMachine.done', names), {
          action: { label: t('action.undo'), key: 'z', onClick: () => void edit.send(null) },
        }),
    });
  return (
    <Banner
      tone="warning"
      title={t('sameMachine.title', { ...names, count: other.accounts })}
      action={
        <Button size="small" icon={<Merge />} pending={edit.isPending} onClick={join}>
          {t('sameMachine.confirm')}
        </Button>
      }
    >
      <p>{t('sameMachine.advice')}</p>
    </Banner>
  );
}
