import { useTranslation } from 'react-i18next';
import { ChartLegend } from '#kit/charts/chart-card.tsx';
import { Slider, usePointed } from '#kit/charts/slider.tsx';
import styles from './usage-chart.module.css';
import { MANY_REFUSED, type ShownDay } from './usage-days.ts';
import { useUsageTexts } from './use-usage-texts.ts';

const DAY_MINUTES = 24 * 60;
const hoursScale = [24, 12, 0] as const;
/** Possible tops of the scale of shares; the lowest one that fits all days is used. */
const shareScales = [0.2, 0.5, 1] as const;
const DAYS_BETWEEN_LABELS = 10;

const percent = (part: number) => `${part * 100}%`;

/** Hours online and refused requests of each day: two charts above one axis, with one slider for both. */
export function UsageChart({ label, days }: { label: string; days: readonly ShownDay[] }) {
  const { t } = useTranslation('line');
  const { share, dayText } = useUsageTexts();
  const on = usePointed(days.length, 'last');
  const { pointed, at } = on;
  const last = days.length - 1;
  const most = Math.max(...days.map(({ refused }) => refused));
  const top = shareScales.find((scale) => scale >= most) ?? 1;
  const day = days[at];
  return (
    <>
      <div
        className="relative grid [grid-template:104px_36px_0/auto_minmax(0,1fr)] gap-x-2 gap-y-7 pt-2 type-caption"
        data-print="drawn"
      >
        <Scale of="hours" values={hoursScale.map((hours) => t('usage.hoursOfScale', { hours }))} />
        <Bars
          of="hours"
          days={days}
          at={pointed}
          heightOf={({ minutes_online }) => Math.min(1, minutes_online / DAY_MINUTES)}
        />
        <Scale of="shares" values={[share(top), share(0)]} />
        <Bars
          of="shares"
          days={days}
          at={pointed}
          heightOf={({ refused }) => refused / top}
          toneOf={({ refused }) => (refused >= MANY_REFUSED ? 'error' : 'warning')}
        />
        <Labels days={days} />
        {/* The slider covers both charts. */}
        <div className="relative row-[1/3] col-2 rounded-[4px] [&:has(:focus-visible)]:outline-2 [&:has(:focus-visible)]:outline-primary [&:has(:focus-visible)]:outline-offset-4">
          {pointed !== null && day && (
            <span
              className="absolute z-1 top-0 w-max max-w-[50%] py-1 px-2 rounded-[6px] bg-text text-paper pointer-events-none"
              style={
                at > last / 2
                  ? { insetInlineEnd: percent(1 - at / days.length) }
                  : { insetInlineStart: percent((at + 1) / days.length) }
              }
              aria-hidden="true"
            >
              {dayText(day)}
            </span>
          )}
          <Slider label={label} text={day && dayText(day)} on={on} />
        </div>
      </div>
      <Legend days={days} />
    </>
  );
}

type Of = 'hours' | 'shares';

const rows = { hours: 'row-1', shares: 'row-2' };

function Scale({ of, values }: { of: Of; values: readonly string[] }) {
  return (
    <div
      className={`${rows[of]} flex flex-col col-1 justify-between min-w-8 text-text-2 text-end [&_span]:h-0 [&_span]:leading-0 [&_span]:whitespace-nowrap`}
      aria-hidden="true"
    >
      {values.map((value) => (
        <span key={value}>{value}</span>
      ))}
    </div>
  );
}

interface BarsProps {
  of: Of;
  days: readonly ShownDay[];
  at: number | null;
  /** Height of a day's bar, from 0 to 1. */
  heightOf: (day: ShownDay) => number;
  toneOf?: (day: ShownDay) => string;
}

function Bars({ of, days, at, heightOf, toneOf }: BarsProps) {
  return (
    <div
      className={`${rows[of]} flex col-2 border-y border-y-chart-grid *:flex *:flex-1 *:items-end *:justify-center ${styles.bars}`}
      aria-hidden="true"
    >
      {days.map((day, index) => (
        <span
          key={day.day}
          data-pointed={index === at || undefined}
          data-unknown={day.isUnknown || undefined}
        >
          {heightOf(day) > 0 && (
            <i data-tone={toneOf?.(day)} style={{ height: percent(heightOf(day)) }} />
          )}
        </span>
      ))}
    </div>
  );
}

function Labels({ days }: { days: readonly ShownDay[] }) {
  const { t } = useTranslation('line');
  const { shortDay } = useUsageTexts();
  const last = days.length - 1;
  return (
    <div className="relative row-3 col-2 -mt-6 text-text-2" aria-hidden="true">
      {days.map((day, index) =>
        index === last || (index % DAYS_BETWEEN_LABELS === 0 && last - index > 4) ? (
          <span
            key={day.day}
            className="absolute top-0 whitespace-nowrap [translate:-50%] first:[translate:-25%] data-last:[translate:-80%]"
            data-last={index === last || undefined}
            style={{ insetInlineStart: percent((index + 0.5) / days.length) }}
          >
            {index === last ? t('usage.today') : shortDay(day)}
          </span>
        ) : null,
      )}
    </div>
  );
}

function Legend({ days }: { days: readonly ShownDay[] }) {
  const { t } = useTranslation('line');
  const { share } = useUsageTexts();
  const hasMany = days.some(({ refused }) => refused >= MANY_REFUSED);
  const items = [
    { text: t('usage.hoursOnline') },
    { text: t('usage.refused'), tone: 'warning' as const },
    ...(hasMany
      ? [{ text: t('usage.manyRefused', { share: share(MANY_REFUSED) }), tone: 'error' as const }]
      : []),
    ...(days.some(({ isUnknown }) => isUnknown)
      ? [{ text: t('recurring.unknown'), tone: 'unknown' as const }]
      : []),
  ];
  return <ChartLegend items={items} above={8} />;
}
