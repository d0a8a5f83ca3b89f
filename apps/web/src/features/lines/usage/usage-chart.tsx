import { useTranslation } from 'react-i18next';
import { ChartLegend } from '#kit/charts/chart-card.tsx';
import { Slider, usePointed } from '#kit/charts/slider.tsx';
import styles from './usage-chart.module.css';
import { MANY_REFUSED, type ShownDay } from './usage-days.ts';
import { useUsageTexts } from './use-usage-texts.ts';

const DAY_MINUTES = 24 * 60;
const hoursScale = [24, 12, 0] as const;
/** The lowest of these that holds all days ends the scale of shares. */
const shareScales = [0.2, 0.5, 1] as const;
const DAYS_BETWEEN_LABELS = 10;

const percent = (part: number) => `${part * 100}%`;

/** Hours online and refused requests of each day: two charts over one axis, and one slider over both. */
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
      <div className={styles.chart} data-print="drawn">
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
        <div className={styles.over}>
          {pointed !== null && day && (
            <span
              className={styles.pointed}
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

function Scale({ of, values }: { of: Of; values: readonly string[] }) {
  return (
    <div className={` ${styles.scale} ${styles[of]}`} aria-hidden="true">
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
  /** From 0 to 1. */
  heightOf: (day: ShownDay) => number;
  toneOf?: (day: ShownDay) => string;
}

function Bars({ of, days, at, heightOf, toneOf }: BarsProps) {
  return (
    <div className={` ${styles.bars} ${styles[of]}`} aria-hidden="true">
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
    <div className={styles.labels} aria-hidden="true">
      {days.map((day, index) =>
        index === last || (index % DAYS_BETWEEN_LABELS === 0 && last - index > 4) ? (
          <span
            key={day.day}
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
      ? [{ text: t('usage.notKnown'), tone: 'unknown' as const }]
      : []),
  ];
  return <ChartLegend items={items} above={8} />;
}
