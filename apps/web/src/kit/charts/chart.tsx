import { useTranslation } from 'react-i18next';
import { formatNumber } from '#platform/i18n/format-number.ts';
import styles from './chart.module.css';
import type { ChartPoint, ChartProps } from './chart.ts';
import { roundScale } from './scale.ts';
import { Slider, usePointed } from './slider.tsx';

/** Points with a label, at most; on narrow charts every second of them. */
const LABELS = 8;

const DOT =
  'absolute w-2.5 h-2.5 -mx-[5px] -mb-[5px] border-2 border-paper rounded-[50%] bg-chart-1';

const percent = (part: number) => `${part * 100}%`;

/** A chart of values over time. The value that its slider is on is shown and read out. */
export function Chart({ label, points, shape, begins, marks = [] }: ChartProps) {
  const { i18n } = useTranslation();
  const on = usePointed(points.length, begins);
  const { pointed, at } = on;
  const scale = roundScale(
    Math.max(0, ...points.flatMap(({ value, before }) => [value ?? 0, before ?? 0])),
  );
  const top = scale.at(-1) ?? 1;
  return (
    <div
      className="@container grid [grid-template:184px_24px/auto_minmax(0,1fr)] gap-x-2 pt-2 type-caption phone:[grid-template-rows:144px_24px]"
      data-print="drawn"
    >
      {/* Each number is centred on its grid line. */}
      <div
        className="flex flex-col justify-between min-w-5 text-text-2 text-end [&>span]:h-0 [&>span]:leading-0"
        aria-hidden="true"
      >
        {scale.toReversed().map((value) => (
          <span key={value}>{formatNumber(value, i18n.language)}</span>
        ))}
      </div>
      <div className="relative rounded-[4px] [&:has(:focus-visible)]:outline-2 [&:has(:focus-visible)]:outline-primary [&:has(:focus-visible)]:outline-offset-4">
        <div
          className="absolute inset-0 flex flex-col justify-between [&>span]:h-0 [&>span]:border-t [&>span]:border-t-chart-grid"
          aria-hidden="true"
        >
          {scale.map((value) => (
            <span key={value} />
          ))}
        </div>
        {shape === 'bars' ? (
          <Bars points={points} top={top} at={pointed} />
        ) : (
          <Steps points={points} top={top} />
        )}
        {marks.map(({ at: place, text }) => (
          <span
            key={place}
            className={`absolute inset-y-0 [border-inline-start:1px_dashed_var(--color-chart-3)] text-warning-fg font-semibold [&>span]:absolute [&>span]:top-0 [&>span]:whitespace-nowrap ${place > points.length / 2 ? '[&>span]:end-1.5' : '[&>span]:start-1.5'}`}
            style={{ insetInlineStart: percent(place / points.length) }}
            aria-hidden="true"
          >
            <span>{text}</span>
          </span>
        ))}
        {pointed !== null && <Pointed points={points} at={at} top={top} shape={shape} />}
        <Slider label={label} text={points[at]?.text()} on={on} />
      </div>
      <Labels points={points} begins={begins} />
    </div>
  );
}

interface BarsProps {
  points: readonly ChartPoint[];
  top: number;
  at: number | null;
}

function Bars({ points, top, at }: BarsProps) {
  return (
    <div className={`absolute inset-0 flex ${styles.bars}`} aria-hidden="true">
      {points.map(({ label, value, tone }, index) => (
        <span
          key={label}
          className="flex flex-1 items-end justify-center min-w-0"
          data-pointed={index === at || undefined}
        >
          <i data-tone={tone} style={{ height: percent((value ?? 0) / top) }} />
        </span>
      ))}
    </div>
  );
}

type Values = readonly (number | null | undefined)[];

/**
 * The `d` of a path with the values, in hundredths of width and height from the top left corner;
 * interrupted at unknown values.
 */
function stepPath(values: Values, top: number): string {
  const width = 100 / values.length;
  return values
    .map((value, index) => {
      if (value == null) return '';
      const isFirst = values[index - 1] == null;
      const y = 100 - (value / top) * 100;
      return `${isFirst ? `M${index * width} ${y}` : `V${y}`} H${(index + 1) * width}`;
    })
    .join(' ');
}

/** The path of the area below the steps. */
function areaPath(values: Values, top: number): string {
  const width = 100 / values.length;
  return values
    .flatMap((value, index) =>
      value == null ? [] : [`M${index * width} 100 V${100 - (value / top) * 100} h${width} V100 Z`],
    )
    .join(' ');
}

function Steps({ points, top }: Omit<BarsProps, 'at'>) {
  const values = points.map(({ value }) => value);
  const end = values.findLastIndex((value) => value !== null);
  return (
    <>
      <svg
        className={`absolute inset-0 w-full h-full ${styles.steps}`}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path data-area d={areaPath(values, top)} />
        <path
          data-before
          d={stepPath(
            points.map(({ before }) => before),
            top,
          )}
        />
        <path d={stepPath(values, top)} />
      </svg>
      {end >= 0 && (
        <span
          className={DOT}
          style={{
            bottom: percent((values[end] ?? 0) / top),
            insetInlineStart: percent((end + 1) / points.length),
          }}
        />
      )}
    </>
  );
}

interface PointedProps extends Omit<BarsProps, 'at'> {
  at: number;
  shape: ChartProps['shape'];
}

/** The mark on the point under the pointer or the keyboard. */
function Pointed({ points, at, top, shape }: PointedProps) {
  const point = points[at];
  if (!point) return null;
  const place = (at + 0.5) / points.length;
  return (
    <>
      {shape === 'steps' && point.value !== null && (
        <span
          className={DOT}
          style={{ bottom: percent(point.value / top), insetInlineStart: percent(place) }}
        />
      )}
      <span
        className="absolute z-1 top-0 w-max max-w-[50%] mx-2 py-1 px-2 rounded-[6px] bg-text text-paper pointer-events-none"
        style={
          place > 0.5
            ? { insetInlineEnd: percent(1 - place) }
            : { insetInlineStart: percent(place) }
        }
        aria-hidden="true"
      >
        {point.text()}
      </span>
    </>
  );
}

function Labels({ points, begins }: Pick<ChartProps, 'points' | 'begins'>) {
  const last = points.length - 1;
  const every = Math.ceil(points.length / LABELS);
  const shown = points
    .map(({ label }, index) => ({ label, index, from: begins === 'first' ? index : last - index }))
    .filter(({ from }) => from % every === 0);
  return (
    <div className="relative col-2 text-text-2" aria-hidden="true">
      {shown.map(({ label, index, from }) => (
        <span
          key={index}
          className="absolute bottom-0 whitespace-nowrap [translate:-50%] data-last:[translate:-85%] @max-[481px]:data-spare:hidden"
          data-last={index === last || undefined}
          data-spare={from % (2 * every) !== 0 || undefined}
          style={{ insetInlineStart: percent((index + 0.5) / points.length) }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
