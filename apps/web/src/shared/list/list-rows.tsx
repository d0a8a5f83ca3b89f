import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../browser/use-is-phone.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import styles from './list-rows.module.css';
import { CardLine, Cards, RowCard, SkeletonCards } from './table/cards.tsx';
import type { SizedColumn } from './table/column.ts';
import { SizedTable } from './table/sized-table.tsx';
import type { ListRow } from './use-list.ts';
import { type ListTableRows, useListTable } from './use-list-table.ts';

interface ListRowsProps<Row extends ListRow> extends ListTableRows<Row> {
  columns: readonly SizedColumn<Row>[];
  /** Content below a row that was opened. */
  detail?: RowDetail<Row>;
  /** The card of a row on a phone, where the columns would not make a good one. */
  Card?: (props: CardProps<Row>) => ReactNode;
  /** Rows whose cells have two lines, and some air around them. */
  isTall?: boolean;
}

export interface CardProps<Row> {
  row: Row;
  /** The button that opens and closes the row, and what is then below it, where there is any. */
  opener: ReactNode;
  detail: ReactNode;
}

interface RowDetail<Row> {
  /** Name of the button that opens and closes the row. */
  label: (row: Row) => string;
  Content: (props: { row: Row }) => ReactNode;
}

/** The rows of a list: a table, and on a phone a card for each row, both made of the same columns. */
export function ListRows<Row extends ListRow>(props: ListRowsProps<Row>) {
  const isPhone = useIsPhone();
  const { columns: given, opener, below } = useDetails(props.columns, props.detail);
  const table = useListTable<Row, SizedColumn<Row>>({ ...props, columns: given });
  const { Card, isTall = false } = props;
  if (!isPhone) return <SizedTable {...table} below={below} isTall={isTall} />;
  const { rows, columns, hidden, caption, isInert, showsBones } = table;
  if (!rows) return <SkeletonCards isVisible={showsBones} isBoxless />;
  const wanted = columns.filter(({ id }) => !hidden.includes(id));
  return (
    <Cards label={caption} isInert={isInert}>
      {rows.map((row) =>
        Card ? (
          <Card key={row.id} row={row} opener={opener(row)} detail={below(row)} />
        ) : (
          <ColumnCard key={row.id} row={row} columns={wanted} detail={below(row)} />
        ),
      )}
    </Cards>
  );
}

/** Adds a column with the button that opens a row. */
function useDetails<Row extends ListRow>(
  columns: readonly SizedColumn<Row>[],
  detail: RowDetail<Row> | undefined,
) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<readonly string[]>([]);
  if (!detail) return { columns, opener: () => null, below: () => null };
  const { label, Content } = detail;
  const toggle = ({ id }: Row) =>
    setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id]);
  const open: SizedColumn<Row> = {
    id: 'detail',
    kind: 'actions',
    title: t('list.actions'),
    inCard: 'badge',
    size: 64,
    cell: (row) => (
      <IconButton
        size="small"
        label={label(row)}
        aria-expanded={opened.includes(row.id)}
        onClick={() => toggle(row)}
      >
        <ChevronDown className={styles.chevron} size={18} aria-hidden="true" />
      </IconButton>
    ),
  };
  return {
    columns: [...columns, open],
    opener: open.cell,
    below: (row: Row) => opened.includes(row.id) && <Content row={row} />,
  };
}

interface ColumnCardProps<Row> {
  row: Row;
  columns: readonly SizedColumn<Row>[];
  detail: ReactNode;
}

/** Headed by the column that names the row; a badge stands beside the name, the rest below it. */
function ColumnCard<Row>({ row, columns, detail }: ColumnCardProps<Row>) {
  const cellOf = (wanted: (column: SizedColumn<Row>) => boolean) => columns.find(wanted)?.cell(row);
  const below = columns
    .filter(({ kind, inCard }) => !kind && inCard !== 'badge')
    .map(({ id, title, cell, inCard }) => ({ id, title, inCard, content: cell(row) }))
    // A title without a value would say nothing.
    .filter(({ content }) => content !== null && content !== '');
  return (
    <RowCard
      name={cellOf(({ kind }) => kind === 'name')}
      badge={cellOf(({ inCard }) => inCard === 'badge')}
      actions={cellOf(({ kind, inCard }) => kind === 'actions' && inCard !== 'badge')}
    >
      <CardLine>
        {below.map(({ id, title, content, inCard }) => (
          <span key={id} className={styles.value} data-line={inCard === 'line' || undefined}>
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
