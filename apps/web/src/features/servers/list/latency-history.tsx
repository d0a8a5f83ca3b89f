import type { ServerCheck } from '@linekeeper/contract/servers/health.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import { serverChecksQuery } from '../queries.ts';
import styles from '../servers.module.css';
import { measuredChecks, SPARK_HEIGHT, SPARK_WIDTH, sparkline } from './sparkline.ts';

/** Latencies from this value on are shown in the warning colour. */
const SLOW_MS = 100;

/** The latest latency, and a chart once there are at least two tests. */
export function LatencyHistory({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { data: checks = [] } = useQuery(serverChecksQuery(server));
  const measured = measuredChecks(checks);
  const hasLine = measured.length > 1;
  return (
    <>
      <Row align="baseline" justify="between" wrap muted className={styles.latency}>
        <span>{t(hasLine ? 'card.latencyLastDay' : 'card.latency')}</span>
        {server.latency_ms === null ? (
          <span>{t('card.notTested')}</span>
        ) : (
          <span>
            <b>{formatNumber(server.latency_ms, i18n.language)}</b> {t('card.milliseconds')}
          </span>
        )}
      </Row>
      {hasLine ? (
        <Sparkline checks={checks} measured={measured} />
      ) : (
        <div className={styles.baseline} />
      )}
    </>
  );
}

function Sparkline({ checks, measured }: { checks: ServerCheck[]; measured: number[] }) {
  const { t } = useTranslation('servers');
  const { line, area } = sparkline(measured);
  const words = t('card.history', {
    count: checks.length,
    lowest: Math.min(...measured),
    highest: Math.max(...measured),
    failed: checks.filter(({ status }) => status === 'error').length,
  });
  return (
    <svg
      className={styles.sparkline}
      data-tone={(measured.at(-1) ?? 0) >= SLOW_MS ? 'slow' : 'fast'}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path data-part="area" d={area} />
      <path data-part="line" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
