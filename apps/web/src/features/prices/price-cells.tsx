import { useTranslation } from 'react-i18next';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import type { Term } from './plan-prices.ts';

interface PriceCell {
  months: number;
  cost: number;
  /** The price that this one replaces, if it is different. */
  instead?: number | undefined;
  /** True for a price that the list does not set. */
  isQuiet?: boolean;
}

interface PriceCellsProps {
  label: string;
  cells: readonly PriceCell[];
  /** The months whose price is explained. */
  chosen?: number | undefined;
  /** Called with the months of a chosen cell. With it, the cells are buttons. */
  onChoose?: (months: number) => void;
}

const CHOICE =
  'rounded-control focus-visible:-outline-offset-2 hover:bg-hover aria-pressed:bg-primary-soft aria-pressed:shadow-[inset_0_0_0_2px_var(--color-primary)]';

/** Terms and their prices in one row. */
export function PriceCells({ label, cells, chosen, onChoose }: PriceCellsProps) {
  return (
    <ul
      className="grid grid-cols-[repeat(auto-fit,minmax(76px,1fr))] border border-divider rounded-[12px] overflow-clip [&>li]:-mt-px [&>li]:-ms-px [&>li]:border-t [&>li]:border-s [&>li]:border-divider"
      aria-label={label}
    >
      {cells.map((cell) => (
        <li key={cell.months}>
          {onChoose ? (
            <button
              type="button"
              className={`w-full h-full py-2 px-1 text-center ${CHOICE}`}
              aria-pressed={cell.months === chosen}
              onClick={() => onChoose(cell.months)}
            >
              <CellText {...cell} />
            </button>
          ) : (
            <div className="py-2 px-1 text-center">
              <CellText {...cell} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function CellText({ months, ...amount }: PriceCell) {
  const { t } = useTranslation('prices');
  return (
    <>
      <span className="block text-neutral-fg type-caption">
        {t('credits.months', { count: months })}
      </span>
      <Amount {...amount} />
    </>
  );
}

function Amount({ cost, instead, isQuiet }: Omit<PriceCell, 'months'>) {
  const { t, i18n } = useTranslation('prices');
  return (
    <>
      {instead !== undefined && instead !== cost && (
        <>
          <span className="visually-hidden">{t('why.instead')}</span>
          <s className="me-1.5 text-neutral-fg type-caption">
            {formatNumber(instead, i18n.language)}
          </s>
        </>
      )}
      <b className={isQuiet ? 'font-normal text-text-2' : 'font-bold'}>
        {formatNumber(cost, i18n.language)}
      </b>
    </>
  );
}

interface PlanCells {
  plan_id: string;
  name: string | undefined;
  cells: readonly PriceCell[];
}

interface PriceTableProps {
  label: string;
  rows: readonly PlanCells[];
  isChosen: (term: Term) => boolean;
  onChoose: (term: Term) => void;
}

/** A row for each plan and a column for each term, whose prices are buttons. */
export function PriceTable({ label, rows, isChosen, onChoose }: PriceTableProps) {
  const { t } = useTranslation('prices');
  const all = new Set(rows.flatMap(({ cells }) => cells.map(({ months }) => months)));
  const terms = [...all].sort((one, other) => one - other);
  const priceAt = (months: number) => (row: PlanCells) => {
    const cell = row.cells.find((one) => one.months === months);
    if (!cell) return null;
    const term = { plan_id: row.plan_id, months };
    return (
      <button
        type="button"
        className={`w-full min-h-11 px-1.5 text-end ${CHOICE}`}
        aria-pressed={isChosen(term)}
        onClick={() => onChoose(term)}
      >
        <span className="visually-hidden">
          {t('why.cell', { plan: row.name, term: t('credits.months', { count: months }) })}{' '}
        </span>
        <Amount {...cell} />
      </button>
    );
  };
  return (
    <div className="-mx-(--card-pad) overflow-x-auto [&_td]:!p-0.5 [&_td:last-child]:!pe-[calc(var(--card-pad)-6px)]">
      <SmallTable
        isWide
        caption={label}
        rows={rows}
        rowId={({ plan_id }) => plan_id}
        columns={[
          {
            id: 'plan',
            kind: 'name',
            title: t('field.credits'),
            cell: ({ name }) => <TypedText>{name ?? ''}</TypedText>,
          },
          ...terms.map((months, index) => ({
            id: String(months),
            title:
              index === 0 ? t('credits.months', { count: months }) : <Months months={months} />,
            align: 'end' as const,
            cell: priceAt(months),
          })),
        ]}
      />
    </div>
  );
}

/** A number of months; the unit is shown beside the first one. */
function Months({ months }: { months: number }) {
  const { t } = useTranslation('prices');
  return (
    <>
      <span aria-hidden="true">{t('number', { value: months })}</span>
      <span className="visually-hidden">{t('credits.months', { count: months })}</span>
    </>
  );
}
