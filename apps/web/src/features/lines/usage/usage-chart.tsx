import { type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from './usage-chart.module.css';
import { MANY_REFUSED, type ShownDay } from './usage-days.ts';
import { useUsageTexts } from './use-usage-texts.ts';

const DAY_MINUTES = 24 * 60;
const hoursScale = [24, 12, 0] as const;
/** The lowest of these that holds all days ends the scale of shares. */
const shareScales = [0.2, 0.5, 1] as const;
const DAYS_BETWEEN_LABELS = 10;

const percent = (part: number) => `${part * 100}%`;

/**
 * Hours online and refused requests of each day, two charts over one axis. An invisible slider lies over
 * both: the keyboard, screen readers and fingers move it from day to day, which is then read out.
 */
export function UsageChart({ label, days }: { label: string; days: readonly ShownDay[] }) {
  const { t } = useTranslation('line');
  const { share, dayText } = useUsageTexts();
  const [pointed, setPointed] = useState<number | null>(null);
  const last = days.length - 1;
  const at = Math.min(pointed ?? last, last);
  const most = Math.max(...days.map(({ refused }) => refused));
  const top = shareScales.find((scale) => scale >= most) ?? 1;
  const day = days[at];
  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * days.length);
    setPointed(Math.min(last, Math.max(0, index)));
  };
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
          <input
            type="range"
            aria-label={label}
            aria-valuetext={day && dayText(day)}
            min={0}
            max={last}
            value={at}
            onChange={({ target }) => setPointed(target.valueAsNumber)}
            onFocus={() => setPointed(at)}
            onBlur={() => setPointed(null)}
            onPointerMove={point}
            onPointerLeave={({ currentTarget }) => {
              if (document.activeElement !== currentTarget) setPointed(null);
            }}
          />
        </div>
      </div>
      <Legend days={days} />
    </>
  );
}

type Of = 'hours' | 'shares';

function Scale({ of, values }: { of: Of; values: readonly string[] }) {
  return (
    <div className={`${styles.scale} ${styles[of]}`} aria-hidden="true">
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
    <div className={`${styles.bars} ${styles[of]}`} aria-hidden="true">
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
  const shown = [
    { text: t('usage.hoursOnline') },
    { text: t('usage.refused'), tone: 'warning' },
    ...(days.some(({ refused }) => refused >= MANY_REFUSED)
      ? [{ text: t('usage.manyRefused', { share: share(MANY_REFUSED) }), tone: 'error' }]
      : []),
    ...(days.some(({ isUnknown }) => isUnknown)
      ? [{ text: t('usage.notKnown'), tone: 'unknown' }]
      : []),
  ];
  return (
    <Row as="ul" wrap muted caption above={8} className={styles.legend} data-print="drawn">
      {shown.map(({ text, tone }) => (
        <Row as="li" gap={8} key={text} data-tone={tone}>
          {text}
        </Row>
      ))}
    </Row>
  );
}
