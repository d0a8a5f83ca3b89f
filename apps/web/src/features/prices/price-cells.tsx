import { useTranslation } from 'react-i18next';
import { formatNumber } from '#platform/i18n/format-number.ts';

interface PriceCell {
  months: number;
  cost: number;
  /** The price that it takes the place of, if it is another. */
  instead?: number | undefined;
  /** Not set by the list. */
  isQuiet?: boolean;
}

interface PriceCellsProps {
  label: string;
  cells: readonly PriceCell[];
  /** The months whose price is explained. */
  chosen?: number | undefined;
  /** Makes the cells buttons. */
  onChoose?: (months: number) => void;
}

/** Terms and their prices side by side. */
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
              className="w-full h-full py-2 px-1 text-center rounded-control focus-visible:-outline-offset-2 hover:bg-hover aria-pressed:bg-primary-soft aria-pressed:shadow-[inset_0_0_0_2px_var(--color-primary)]"
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

function CellText({ months, cost, instead, isQuiet }: PriceCell) {
  const { t, i18n } = useTranslation('prices');
  return (
    <>
      <span className="block text-neutral-fg type-caption">
        {t('credits.months', { count: months })}
      </span>
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
