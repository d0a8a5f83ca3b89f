import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import styles from '#features/servers/servers.module.css';
import { useNotKnownText } from '#features/servers/use-presence-texts.ts';
import { Row } from '#kit/ui/vocabulary.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkline } from './sparkline.ts';

/** Lines that are on, with a curve of the last day; a dashed line where that is not known. */
export function OnlineHistory({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const notKnown = useNotKnownText()(server);
  const { presence, line_count } = server;
  const number = (value: number) => formatNumber(value, i18n.language);
  const curve = presence?.most_online ?? [];
  return (
    <>
      <Row align="baseline" justify="between" wrap muted className={styles.online}>
        <span>{t('presence.online')}</span>
        {notKnown ? (
          <span>{notKnown}</span>
        ) : (
          <span>
            <b>{number(presence?.lines_online ?? 0)}</b> {t('card.of', { all: line_count })}
          </span>
        )}
      </Row>
      {!notKnown && curve.length > 1 ? (
        <Sparkline values={curve} />
      ) : (
        <div className={styles.baseline} />
      )}
    </>
  );
}

function Sparkline({ values }: { values: number[] }) {
  const { t } = useTranslation('servers');
  const { line, area } = sparkline(values);
  const words = t('card.history', { lowest: Math.min(...values), highest: Math.max(...values) });
  return (
    <svg
      className={styles.sparkline}
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
