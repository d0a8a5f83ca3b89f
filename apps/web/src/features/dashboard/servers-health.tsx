import type {
  ServersHealth as Health,
  HealthSummary,
} from '@linekeeper/contract/servers/health.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatUptime } from '#domain/servers/health/format-uptime.ts';
import { serversHealthQuery } from '#domain/servers/health/server-health.ts';
import { StateBars, StateLegend } from '#domain/servers/health/state-bars.tsx';
import { ShownOrTableCard } from '#kit/charts/chart-card.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatTime } from '#platform/format/format-moment.ts';

/** Servers that are shown, at most, starting with those that have a problem. */
const MOST_SHOWN = 5;

/** The look of a server with its chart and result; on a phone the chart is below them. */
const ROW =
  'grid grid-cols-[minmax(0,3fr)_minmax(0,6fr)_120px] gap-x-6 gap-y-2 phone:grid-cols-[minmax(0,1fr)_auto]';

/**
 * The card with each server's health in the last 24 hours, for administrators, who are the only ones to see servers.
 */
export function ServersHealth() {
  const { is_admin } = useMe();
  const { data } = useQuery({ ...serversHealthQuery(), enabled: is_admin });
  return data && data.items.length > 0 ? <HealthCard health={data} /> : null;
}

function HealthCard({ health: { items, day_from } }: { health: Health }) {
  const { t, i18n } = useTranslation('dashboard');
  const { uptimeOf, latencyOf } = useTexts();
  const shown = items.slice(0, MOST_SHOWN);
  return (
    <ShownOrTableCard
      title={t('health.title')}
      summary={t('health.summary')}
      table={() => ({
        columns: [t('field.server'), t('health.up24'), t('health.latency')],
        rows: shown.map((server) => ({
          key: server.id,
          cells: [<Name key="name" server={server} />, uptimeOf(server), latencyOf(server)],
        })),
      })}
      action={
        <Link
          to="/cccam-servers/manage"
          className="text-primary type-[600_14px/28px_var(--font)] hover:underline"
        >
          {t('health.all')}
        </Link>
      }
    >
      <ul className="divided">
        {shown.map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </ul>
      <div className={`mb-3 text-text-2 type-caption ${ROW}`} aria-hidden="true">
        <p className="flex items-stretch justify-between col-2 phone:col-[1/3]">
          <span>{formatTime(Date.parse(day_from), i18n.language)}</span>
          <span>{t('health.now')}</span>
        </p>
      </div>
      <StateLegend />
    </ShownOrTableCard>
  );
}

function useTexts() {
  const { t, i18n } = useTranslation('dashboard');
  return {
    uptimeOf: ({ day }: HealthSummary) =>
      day.uptime === null ? t('health.unknown') : formatUptime(day.uptime, i18n.language),
    latencyOf: ({ day, down_since }: HealthSummary) => {
      if (down_since !== null) return t('health.noAnswer');
      return day.latency_ms === null ? '–' : t('health.ms', { milliseconds: day.latency_ms });
    },
  };
}

function Name({ server: { id, server_name, status } }: { server: HealthSummary }) {
  const { t } = useTranslation('dashboard');
  return (
    <span className="flex items-center flex-wrap gap-y-1 gap-x-3">
      <Link
        to="/cccam-servers/$id/health"
        params={{ id }}
        className="min-w-0 wrap-anywhere type-strong hover:underline"
      >
        <TypedText>{server_name}</TypedText>
      </Link>
      {status === 'error' && <Badge tone="error">{t('status.error')}</Badge>}
    </span>
  );
}

function ServerRow({ server }: { server: HealthSummary }) {
  const { t } = useTranslation('dashboard');
  const { uptimeOf, latencyOf } = useTexts();
  const uptime = uptimeOf(server);
  return (
    <li
      className={`items-center min-h-16 py-3 phone:[&>[role=img]]:row-2 phone:[&>[role=img]]:col-[1/3] ${ROW}`}
    >
      <Name server={server} />
      <StateBars
        isLow
        label={t('health.barsOf', { name: server.server_name, uptime })}
        bars={server.day.parts.map((state, key) => ({ key, state }))}
      />
      <span className="grid grid-cols-1 text-end">
        <strong className="type-strong">{uptime}</strong>
        <small className={server.down_since !== null ? 'text-error-fg' : ''}>
          {latencyOf(server)}
        </small>
      </span>
    </li>
  );
}
