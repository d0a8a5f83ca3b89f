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
import { Caption, Divided, Row, Stack, Strong, Text } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatTime } from '#platform/format/format-moment.ts';
import { useDrawnInSlices } from '#platform/start/later.tsx';
import dashboardStyles from './dashboard.module.css';
import styles from './servers-health.module.css';

/** Those that need a look come first. */
const MOST_SHOWN = 5;

/** How each server answered in the last 24 hours; for administrators, who alone may see servers. */
export function ServersHealth() {
  const { is_admin } = useMe();
  const { data: fetched } = useQuery({ ...serversHealthQuery(), enabled: is_admin });
  const data = useDrawnInSlices(fetched);
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
        columns: [t('health.server'), t('health.up'), t('health.latency')],
        rows: shown.map((server) => ({
          key: server.id,
          cells: [<Name key="name" server={server} />, uptimeOf(server), latencyOf(server)],
        })),
      })}
      action={
        <Link to="/cccam-servers/manage" className={dashboardStyles.link}>
          {t('health.all')}
        </Link>
      }
    >
      <Divided className={styles.servers}>
        {shown.map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </Divided>
      <Caption below={12} as="div" className={styles.axis} aria-hidden="true">
        <Row as="p" align="stretch" justify="between">
          <span>{formatTime(Date.parse(day_from), i18n.language)}</span>
          <span>{t('health.now')}</span>
        </Row>
      </Caption>
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
    <Row gap="4 12" as="span" wrap>
      <Link to="/cccam-servers/$id/health" params={{ id }} className={dashboardStyles.name}>
        <TypedText>{server_name}</TypedText>
      </Link>
      {status === 'error' && <Badge tone="error">{t('health.error')}</Badge>}
    </Row>
  );
}

function ServerRow({ server }: { server: HealthSummary }) {
  const { t } = useTranslation('dashboard');
  const { uptimeOf, latencyOf } = useTexts();
  const uptime = uptimeOf(server);
  return (
    <li>
      <Name server={server} />
      <StateBars
        isLow
        label={t('health.barsOf', { name: server.server_name, uptime })}
        bars={server.day.parts.map((state, key) => ({ key, state }))}
      />
      <Stack as="span" className={styles.figures}>
        <Strong as="strong">{uptime}</Strong>
        <Text as="small" tone={server.down_since !== null ? 'error' : undefined}>
          {latencyOf(server)}
        </Text>
      </Stack>
    </li>
  );
}
