import type { ReactNode } from 'react';
import { useShowsCards } from '#platform/browser/use-is-phone.ts';
import { CardLine, Cards, RowCard, SkeletonCards } from './cards.tsx';
import type { SizedColumn } from './column.ts';
import { SizedTable, type SizedTableProps } from './sized-table.tsx';

export interface CardProps<Row> {
  row: Row;
  /** The checkbox of the row; absent if rows cannot be selected. */
  box: ReactNode;
  isSelected: boolean;
  /** The button that opens and closes the row, and the content below it, if there is any. */
  opener: ReactNode;
  detail: ReactNode;
}

export interface ResponsiveTableProps<Row extends { id: string }> extends SizedTableProps<Row> {
  /** The card of a row on a phone, if the columns are not suitable for one. */
  Card?: (props: CardProps<Row>) => ReactNode;
  /** True for cards that look like rows, without gaps between them. */
  isFlat?: boolean;
}

/** A table, or in a narrow window a card for each row, both made of the same columns. */
export function ResponsiveTable<Row extends { id: string }>(props: ResponsiveTableProps<Row>) {
  const { caption, columns, rows, isSelected, below, isInert = false, Card = ColumnCard } = props;
  const { isFlat = false } = props;
  const hasCards = useShowsCards();
  if (!hasCards) return <SizedTable {...props} />;
  const select = columns.find(({ kind }) => kind === 'select');
  const opener = columns.find(({ id }) => id === 'detail');
  if (!rows) {
    const isVisible = props.showsSkeleton === true;
    return <SkeletonCards isVisible={isVisible} isBoxless={!select} isFlat={isFlat} />;
  }
  return (
    <Cards label={caption} isInert={isInert} isFlat={isFlat}>
      {rows.map((row) => (
        <Card
          key={row.id}
          row={row}
          columns={columns}
          box={select?.cell(row)}
          isSelected={isSelected?.(row) ?? false}
          opener={opener?.cell(row)}
          detail={below?.(row)}
        />
      ))}
    </Cards>
  );
}

interface ColumnCardProps<Row> extends CardProps<Row> {
  columns: readonly SizedColumn<Row>[];
}

/** A card made of a row's columns: the name is its heading, a badge is beside the name, and the others are below it. */
function ColumnCard<Row>(props: ColumnCardProps<Row>) {
  const { row, columns, box, isSelected, opener, detail } = props;
  const cellOf = (wanted: (column: SizedColumn<Row>) => boolean) => columns.find(wanted)?.cell(row);
  const badge = cellOf(({ id, inCard }) => inCard === 'badge' && id !== 'detail');
  const below = columns
    .filter(({ kind, inCard }) => !kind && inCard !== 'badge')
    .map(({ id, title, cell, inCard }) => ({ id, title, inCard, content: cell(row) }))
    // Columns without a value are left out, with their titles.
    .filter(({ content }) => content !== null && content !== false && content !== '');
  return (
    <RowCard
      isSelected={isSelected}
      box={box}
      name={cellOf(({ kind }) => kind === 'name')}
      badge={
        opener ? (
          <div className="flex items-center gap-2">
            {badge}
            {opener}
          </div>
        ) : (
          badge
        )
      }
      actions={cellOf(({ kind, inCard }) => kind === 'actions' && inCard !== 'badge')}
    >
      <CardLine>
        {below.map(({ id, title, content, inCard }) => (
          <span
            key={id}
            className="[--cell-space:normal] min-w-0 max-w-full text-text-2 wrap-anywhere data-line:flex-none data-line:w-full [&>b]:text-text [&>b]:font-semibold"
            data-line={inCard === 'line' || undefined}
          >
            {inCard ? (
              content
            ) : (
              <>
                {title} <b>{content}</b>
              </>
            )}
          </span>
        ))}
      </CardLine>
      {detail}
    </RowCard>
  );
}
