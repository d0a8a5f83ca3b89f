import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { useNotKnownText } from '#features/servers/use-presence-texts.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkline } from './sparkline.ts';

/** The number of a server's lines online and a curve of the last 24 hours, dashed while it is unknown. */
export function OnlineHistory({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const notKnown = useNotKnownText()(server);
  const { presence, line_count } = server;
  const number = (value: number) => formatNumber(value, i18n.language);
  const curve = presence?.most_online ?? [];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between text-text-2 content-end gap-y-0 gap-x-2 min-h-8 [&_b]:text-text [&_b]:type-[700_24px/32px_var(--font)] [&_b]:tracking-[-0.01em]">
        <span>{t('presence.online')}</span>
        {notKnown ? (
          <span>{notKnown}</span>
        ) : (
          <span>
            <b>{number(presence?.lines_online ?? 0)}</b> {t('card.of', { all: line_count })}
          </span>
        )}
      </div>
      {!notKnown && curve.length > 1 ? (
        <Sparkline values={curve} />
      ) : (
        <div className="h-0.5 mt-[45px] mx-0 mb-px [background:repeating-linear-gradient(_to_right,var(--color-divider-strong)_0_4px,transparent_4px_10px_)]" />
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
      className="[--line:var(--color-chart-4)] block w-full h-12 [&_path[data-part=line]]:fill-[none] [&_path[data-part=line]]:stroke-(--line) [&_path[data-part=line]]:[stroke-width:1.5] [&_path[data-part=area]]:fill-[color-mix(in_srgb,var(--line)_9%,transparent)]"
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
