import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineUsage } from '@linekeeper/contract/lines/usage.ts';
import type { Session } from '@linekeeper/contract/servers/presence.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleHelp, LogOut, Network, OctagonAlert } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OnlineDot, OnlineText } from '#domain/lines/presence.tsx';
import { useServerName } from '#domain/lines/sync.tsx';
import { useEndSessions } from '#domain/lines/use-end-sessions.ts';
import { Columns } from '#features/lines/columns.tsx';
import { DataTable } from '#kit/charts/chart-card.tsx';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { formatMoment, formatSince, formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useMinute } from '#platform/state/minute.ts';
import { UsageChart } from './usage-chart.tsx';
import { MANY_REFUSED, type ShownDay, shownDays, sumOf } from './usage-days.ts';
import type { UsageProps } from './usage-props.ts';
import { useUsageTexts } from './use-usage-texts.ts';

/** The tab with the usage of a line: its presence, its problem if there is one, and its last 30 days. */
export function UsageTab({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const { data, error, refetch } = useQuery(
    callQuery('lines', lineUsage, { params: { id: line.id }, query: {} }),
  );
  if (error && !data) return <FailedPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="min-h-120" aria-busy="true" />;
  const shown = { line, usage: data };
  return (
    <Columns isNarrowFirst>
      <section className="grid grid-cols-1 gap-6 phone:gap-2" aria-label={t('field.now')}>
        <UsageSentence {...shown} />
        <Sessions {...shown} />
        <SharingNote {...shown} />
      </section>
      <Month {...shown} />
    </Columns>
  );
}

/**
 * A warning above the usage of a line: its server does not report its sessions, or refuses more
 * requests than usual. Renders nothing if neither is true.
 */
function UsageSentence({ line, usage }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  const { share } = useUsageTexts();
  const server = isolate(useServerName(line.server_id));
  const since = (moment: string) => formatSince(Date.parse(moment), i18n.language);
  const { presence, refusals } = usage;
  if (presence.state === 'unknown') {
    return (
      <Sentence
        tone="neutral"
        icon={<CircleHelp size={20} />}
        title={
          presence.since
            ? t('presence.unknownSince', { time: since(presence.since) })
            : t('usage.neverSaid')
        }
        about={t('usage.serverSilent', { server, day: formatDay(line.expiry_date) })}
      />
    );
  }
  if (!refusals) return null;
  return (
    <Sentence
      tone="warning"
      icon={<OctagonAlert size={20} />}
      title={t('usage.refusedSince', { share: share(refusals.share), time: since(refusals.since) })}
      about={[
        refusals.usual !== null && t('usage.usually', { share: share(refusals.usual) }),
        refusals.server_share !== null &&
          t('usage.ofServer', { server, share: share(refusals.server_share) }),
      ]
        .filter(Boolean)
        .join(' ')}
    />
  );
}

interface SentenceProps {
  tone: 'neutral' | 'warning';
  icon: ReactNode;
  title: string;
  about: string;
}

function Sentence({ tone, icon, title, about }: SentenceProps) {
  return (
    <Card as="div">
      <div className="flex items-start gap-4 phone:gap-3" role="status">
        <IconTile tone={tone} isRound>
          {icon}
        </IconTile>
        <div className="flex-1 min-w-0">
          <p className="type-card text-balance [&_b]:font-bold">
            <BoldText>{title}</BoldText>
          </p>
          <p className="mt-0.5 text-text-2 type-caption min-w-0 wrap-anywhere">{about}</p>
        </div>
      </div>
    </Card>
  );
}

/** The usage of a line in the last 30 days, as two charts or as a table. */
function Month({ line, usage }: UsageProps) {
  const { t } = useTranslation('line');
  const { share } = useUsageTexts();
  const [isTable, setTable] = useState(false);
  const days = shownDays(usage, line.added_date);
  const { minutes, known, refused } = sumOf(days);
  const title = t('usage.month', { days: days.length });
  if (minutes === 0 && (known === 0 || line.added_date === days.at(-1)?.day)) {
    return (
      <Card title={title}>
        <p className="text-text-2">{t('usage.nothing')}</p>
      </Card>
    );
  }
  return (
    <Card
      title={
        <>
          {title}
          <CardSummary>
            {t('usage.summary', {
              online: t('usage.hoursOfScale', { hours: Math.round(minutes / 60) }),
              refused: share(refused),
            })}
          </CardSummary>
        </>
      }
      action={
        <Button
          variant="text"
          size="small"
          aria-label={t('actionOf', {
            action: t(isTable ? 'chart.asChart' : 'chart.asTable'),
            name: title,
          })}
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      }
    >
      {isTable ? (
        <DaysTable title={title} days={days} readAt={usage.read_at} />
      ) : (
        <UsageChart label={title} days={days} />
      )}
    </Card>
  );
}

interface DaysTableProps {
  title: string;
  days: readonly ShownDay[];
  readAt: string | null;
}

function DaysTable({ title, days, readAt }: DaysTableProps) {
  const { t, i18n } = useTranslation('line');
  const { duration, share } = useUsageTexts();
  const number = (value: number) => formatNumber(value, i18n.language);
  const until = readAt && t('usage.until', { time: formatTime(Date.parse(readAt), i18n.language) });
  const rows = days.toReversed().map((day, index) => ({
    key: day.day,
    cells: [
      <Fragment key="day">
        {formatDay(day.day)}{' '}
        {index === 0 && <span className="text-text-2 type-caption">{until}</span>}
      </Fragment>,
      ...(day.isUnknown && day.minutes_online === 0
        ? [t('presence.unknown'), '', '', '', '']
        : [
            duration(day.minutes_online),
            number(day.requests),
            day.refused >= MANY_REFUSED ? (
              <b key="refused" className="text-danger">
                {share(day.refused)}
              </b>
            ) : (
              share(day.refused)
            ),
            number(day.most_connections),
            number(day.networks),
          ]),
    ],
  }));
  const columns = (['day', 'online', 'requests', 'refused', 'atOnce', 'networks'] as const).map(
    (column) => t(`usage.columns.${column}`),
  );
  return <DataTable label={title} columns={columns} rows={rows} />;
}

/**
 * A sign of sharing of a line: the number of networks from which it was online at the same time,
 * and its suspension if it was suspended. The text has facts without an accusation.
 */
function SharingNote({ usage: { sharing } }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  if (!sharing) return null;
  const { networks, times, allowed, first_at, suspended_until } = sharing;
  const moment = (of: string) => formatMoment(of, i18n.language);
  return (
    <div className="flex items-center gap-4 py-3 px-4 rounded-pop bg-neutral-bg [&_svg]:flex-none [&_svg]:text-warning-fg [&_p]:text-neutral-fg">
      <Network size={20} aria-hidden="true" />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <strong className="type-strong">
          {t('usage.networksAtOnce', { count: networks })}
          {', '}
          {t('usage.timesThisWeek', { count: times })}
        </strong>
        <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
          {t('usage.allowed', { count: allowed })} {t('usage.firstNoted', { at: moment(first_at) })}
          {suspended_until && ` ${t('usage.suspendedUntil', { time: moment(suspended_until) })}`}
        </p>
      </div>
    </div>
  );
}

/** The current sessions, or those of the last reading while the server reports none. */
function Sessions({ line, usage }: UsageProps) {
  const { t, i18n } = useTranslation('line');
  const { presence, read_at, sessions, can_end_sessions } = usage;
  const isKnown = presence.state !== 'unknown';
  const [endedAt, setEndedAt] = useState<string | null>(null);
  if (!isKnown && read_at === null) return null;
  // The button stays disabled until the next reading shows the result.
  const isEnded = endedAt !== null && endedAt === read_at;
  const title =
    isKnown && presence.connections > 0
      ? t('usage.nowConnections', {
          connections: t('presence.connections', { count: presence.connections }),
        })
      : t('field.now');
  return (
    <Card
      title={title}
      action={
        read_at && (
          <span className="text-text-2">
            {t(isKnown ? 'presence.asOf' : 'usage.lastRead', {
              time: formatSince(Date.parse(read_at), i18n.language),
            })}
          </span>
        )
      }
    >
      {sessions.length > 0 ? (
        <ul className="divided border border-divider-strong rounded-pop [&>li]:py-2 [&>li]:px-4">
          {sessions.map((session, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sessions may be alike in everything
            <SessionRow key={index} session={session} isKnown={isKnown} />
          ))}
        </ul>
      ) : (
        <OnlineText presence={presence} />
      )}
      {isEnded && (
        <p className="mt-3" role="status">
          {t('usage.ended')}
        </p>
      )}
      {can_end_sessions && isKnown && presence.connections > 0 && !isEnded && (
        <EndButton line={line} count={presence.connections} onEnded={() => setEndedAt(read_at)} />
      )}
    </Card>
  );
}

function SessionRow({ session, isKnown }: { session: Session; isKnown: boolean }) {
  const { t, i18n } = useTranslation('line');
  const { duration } = useUsageTexts();
  const now = useMinute();
  const { protocol, network, since } = session;
  const minutes = since ? Math.max(0, Math.floor((now - Date.parse(since)) / 60_000)) : 0;
  return (
    <li className={`flex items-center gap-3 ${isKnown ? '' : 'text-text-2'}`}>
      <OnlineDot look={isKnown ? 'online' : 'unknown'} />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <p>
          {protocol || t('usage.connection')}
          {network && (
            <>
              {' '}
              <span className="text-text-2">{t('usage.from')}</span> <bdi>{network}</bdi>
            </>
          )}
        </p>
        {since && (
          <p className="text-text-2 type-caption min-w-0 wrap-anywhere">
            {t('usage.since', {
              time: formatSince(Date.parse(since), i18n.language),
              duration: duration(minutes),
            })}
          </p>
        )}
      </div>
    </li>
  );
}

interface EndButtonProps extends Pick<UsageProps, 'line'> {
  count: number;
  onEnded: () => void;
}

function EndButton({ line, count, onEnded }: EndButtonProps) {
  const { t } = useTranslation('line');
  const { send, isPending } = useEndSessions(line);
  return (
    <div className="mt-3">
      <Button
        fullWidth
        icon={<LogOut />}
        pending={isPending}
        onClick={() => void send(undefined, { done: ({ finding }) => finding || onEnded() })}
      >
        {count === 1 ? t('presence.endSession') : t('usage.endAll', { count })}
      </Button>
    </div>
  );
}
