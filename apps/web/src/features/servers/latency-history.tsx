import type { Server, ServerCheck } from '@linekeeper/contract/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showNumber } from '../../shared/show-number.ts';
import { serverChecksQuery } from './queries.ts';
import styles from './servers.module.css';
import { measuredChecks, SPARK_HEIGHT, SPARK_WIDTH, sparkline } from './sparkline.ts';

/** From here on a latency is drawn in the colour of a warning. */
const SLOW_MS = 100;

/** The last latency, and how it has been: a line once there is more than one test to draw. */
export function LatencyHistory({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { data: checks = [] } = useQuery(serverChecksQuery(server));
  const measured = measuredChecks(checks);
  const hasLine = measured.length > 1;
  return (
    <>
      <div className={styles.latency}>
        <span>{t(hasLine ? 'card.latencyLastDay' : 'card.latency')}</span>
        {server.latency_ms === null ? (
          <span>{t('card.notTested')}</span>
        ) : (
          <span>
            <b>{showNumber(server.latency_ms, i18n.language)}</b> {t('card.milliseconds')}
          </span>
        )}
      </div>
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
