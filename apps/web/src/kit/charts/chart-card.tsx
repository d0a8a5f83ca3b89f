import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { ChartProps } from './chart.ts';

/** The chart is loaded after the numbers, which can be read without it. */
const Chart = lazyPart(() => import('./chart.tsx'), 'Chart', {
  isPart: true,
  before: () => <div className="h-54 phone:h-44" />,
});

interface ShownCardProps {
  title: string;
  /** The chart in a sentence. */
  summary?: ReactNode;
  /** Makes the table of the chart's figures when the reader opens it. */
  table: () => TableOfData;
  /** Controls above chart or table. */
  choice?: ReactNode;
  /** A link or button below chart or table. */
  action?: ReactNode;
  children: ReactNode;
}

/** A chart that can be shown as a table of its figures instead. */
export function ShownOrTableCard(props: ShownCardProps) {
  const { title, summary, table, choice, action, children } = props;
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <Card
      className="flex flex-col [&>:first-child]:items-start [&>:first-child>button]:-mt-0.5 [&>:first-child>button]:-me-2"
      aria-label={title}
      title={
        <>
          {title}
          {summary && <CardSummary>{summary}</CardSummary>}
        </>
      }
      action={
        <Button
          variant="text"
          size="small"
          aria-label={t('actionOf', {
            action: t(isTable ? 'chart.asChart' : 'chart.asTable'),
            name: title,
          })}
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      }
    >
      {choice && <div className="mb-3">{choice}</div>}
      {isTable ? <DataTable label={title} {...table()} /> : children}
      {action && <div className="mt-auto pt-4">{action}</div>}
    </Card>
  );
}

const SQUARE = 'before:w-3 before:h-3 before:rounded-[4px]';
const SAMPLE = {
  plain: `${SQUARE} before:bg-chart-1`,
  warning: `${SQUARE} before:bg-chart-3`,
  error: `${SQUARE} before:bg-danger`,
  unknown: `${SQUARE} before:bg-divider-strong`,
  before: 'before:w-4 before:h-0 before:border-t-2 before:border-dashed before:border-t-text-2',
};

type Legend = readonly { text: string; tone?: 'warning' | 'error' | 'before' | 'unknown' }[];

export function ChartLegend({ items, above }: { items: Legend; above: 8 | 12 }) {
  return (
    <ul
      className={`flex flex-wrap gap-x-6 gap-y-1 text-text-2 type-caption ${above === 8 ? 'mt-2' : 'mt-3'}`}
      data-print="drawn"
    >
      {items.map(({ text, tone }) => (
        <li
          key={text}
          className={`flex items-center gap-2 before:content-[''] ${SAMPLE[tone ?? 'plain']}`}
        >
          {text}
        </li>
      ))}
    </ul>
  );
}

interface ChartCardProps extends Omit<ShownCardProps, 'children'> {
  chart: Omit<ChartProps, 'label'>;
  legend?: Legend;
}

export function ChartCard({ chart, legend = [], ...card }: ChartCardProps) {
  return (
    <ShownOrTableCard {...card}>
      <Chart label={card.title} {...chart} />
      {legend.length > 0 && <ChartLegend items={legend} above={12} />}
    </ShownOrTableCard>
  );
}

interface TableOfData {
  /** Titles of the columns. The first column names the row; the others have numbers. */
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/**
 * The figures of a chart as a table. It scrolls within its card, so that the page does not become longer than with the
 * chart.
 */
export function DataTable({ label, columns, rows }: TableOfData & { label: string }) {
  const name = `${label}: ${columns.join(', ')}`;
  return (
    <section
      className="max-h-62 -mx-2 overflow-auto focus-visible:rounded-[4px]"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
    >
      <table className="w-full [&_:is(th,td)]:py-1.5 [&_:is(th,td)]:px-2 [&_:is(th,td)]:border-b [&_:is(th,td)]:border-b-divider [&_:is(th,td)]:text-start [&_:is(th,td):not(:first-child)]:text-end">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 bg-head text-text-2 type-[600_12px/18px_var(--font)]"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [of, ...values] }) => (
            <tr key={key}>
              <th scope="row" className="wrap-anywhere type-[500_14px/22px_var(--font)]">
                {of}
              </th>
              {values.map((value, index) => (
                <td key={columns[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
