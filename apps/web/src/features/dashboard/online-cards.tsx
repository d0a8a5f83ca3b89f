import type { OnlineFigures } from '@linekeeper/contract/dashboard.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '#kit/charts/chart-card.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatSince, formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { Bar, Bars } from './bars.tsx';

/** True if at least one server reports who is online now. */
export const isAnyKnown = (servers: OnlineFigures['servers']): boolean =>
  servers.some(({ is_known }) => is_known);

/** The cards with the lines online during the day and by server. Renders nothing if no server reports who is online. */
export function OnlineCards({ online }: { online: OnlineFigures | null }) {
  if (!online) return null;
  return (
    <div className="grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] gap-[inherit] small-tablet:grid-cols-1">
      <DayCard online={online} />
      <ServersCard online={online} />
    </div>
  );
}

interface OnlineProps {
  online: OnlineFigures;
}

function DayCard({ online: { now, week_before, hours, servers } }: OnlineProps) {
  const { t, i18n } = useTranslation('dashboard');
  const { language } = i18n;
  const number = (value: number | null) =>
    value === null ? '–' : formatNumber(Math.round(value), language);
  const time = (hour: string) => formatTime(Date.parse(hour), language);
  const first = hours[0]?.hour ?? '';
  const silent = servers.flatMap(({ server_name, unknown_since }) => {
    if (!unknown_since || unknown_since < first) return [];
    const at = hours.findLastIndex(({ hour }) => hour <= unknown_since);
    return at < 0 ? [] : [{ at, server_name }];
  });
  // Servers whose reports stopped in the same hour share a mark.
  const marks = [...Map.groupBy(silent, ({ at }) => at)].map(([at, [one, ...more]]) => {
    const names = [one?.server_name, more.length > 0 && `+${more.length}`];
    return { at, text: t('online.without', { server: names.filter(Boolean).join(' ') }) };
  });
  return (
    <ChartCard
      title={t('online.today')}
      summary={
        !isAnyKnown(servers)
          ? t('presence.unknown')
          : week_before === null
            ? t('online.nowLines', { count: now })
            : t('online.nowAndBefore', {
                now: t('online.nowLines', { count: now }),
                before: week_before,
              })
      }
      chart={{
        points: hours.map(({ hour, lines, week_before: before }) => ({
          label: time(hour),
          value: lines,
          before,
          text: () =>
            t('online.atHour', { time: time(hour), lines: number(lines), before: number(before) }),
        })),
        shape: 'steps',
        begins: 'first',
        marks,
      }}
      legend={[{ text: t('nav.today') }, { text: t('online.weekBefore'), tone: 'before' as const }]}
      table={() => ({
        columns: [t('online.hour'), t('presence.online'), t('online.weekBefore')],
        rows: hours.map(({ hour, lines, week_before: before }) => ({
          key: hour,
          cells: [time(hour), number(lines), number(before)],
        })),
      })}
    />
  );
}

function ServersCard({ online: { servers } }: OnlineProps) {
  const { t, i18n } = useTranslation('dashboard');
  return (
    <Card
      aria-label={t('online.byServer')}
      title={
        <>
          {t('online.byServer')}
          <CardSummary>{t('online.ofLines')}</CardSummary>
        </>
      }
    >
      <Bars>
        {servers.map(({ server_id, server_name, lines, online, is_known, unknown_since }) => (
          <li key={server_id}>
            <Link
              to="/users/all"
              search={is_known ? { server: server_id, presence: 'online' } : { server: server_id }}
              className="min-w-0 wrap-anywhere type-strong hover:underline"
            >
              <TypedText>{server_name}</TypedText>
            </Link>
            {is_known ? (
              <span>
                <b>{formatNumber(online, i18n.language)}</b>{' '}
                <span className="text-text-2">{t('online.of', { lines })}</span>
              </span>
            ) : (
              <span className="text-text-2 type-caption">
                {unknown_since
                  ? t('presence.isUnknownSince', {
                      time: formatSince(Date.parse(unknown_since), i18n.language),
                    })
                  : t('presence.unknown')}
              </span>
            )}
            <Bar share={is_known ? online / Math.max(1, lines) : null} />
          </li>
        ))}
      </Bars>
    </Card>
  );
}
