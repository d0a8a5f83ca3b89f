import { ChevronDown } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { nextOrder, orderOf } from '#screens/address.ts';
import { drawnColumns, type ListColumn, titled } from './columns.tsx';
import { useOptionalSelection, useSelection } from './selection/selection-context.tsx';
import type { SizedColumn } from './table/column.ts';
import { ResponsiveTable, type ResponsiveTableProps } from './table/responsive-table.tsx';
import { type ListRow, useListDefinition, useListSearch } from './use-list.ts';
import { useListPreferences, useShownColumns } from './use-list-preferences.ts';

/** The rows of a page, as a list passes them to the component that draws them. */
export interface ShownRows<Row> {
  /** The rows; undefined while the first ones are loading, when placeholders are shown. */
  rows: readonly Row[] | undefined;
  /** True while the requested rows are missing and the shown ones must not be acted on. */
  isInert: boolean;
  showsSkeleton: boolean;
}

/** Columns, actions and cards of the rows of a list. */
export interface RowLook<Row extends ListRow>
  extends Pick<ResponsiveTableProps<Row>, 'Card' | 'isFlat' | 'isTall'> {
  columns: readonly ListColumn<Row>[];
  /** The buttons of a row. */
  Actions?: ((props: { row: Row }) => ReactNode) | undefined;
  /** Width of the buttons in the language with the longest words; by default that of a menu. */
  actionsWidth?: number;
  /** Returns the label of the box that selects a row, if rows can be selected. It must be memoised. */
  selectLabel?: (row: Row) => string;
  /** Content below an opened row. */
  detail?: RowDetail<Row>;
}

interface ListRowsProps<Row extends ListRow> extends ShownRows<Row>, RowLook<Row> {}

interface RowDetail<Row> {
  /** Name of the button that opens and closes the row; null for a row that does not open. */
  label: (row: Row) => string | null;
  Content: (props: { row: Row }) => ReactNode;
}

const MENU_WIDTH = 64;
const none: never[] = [];

/** The rows of a declared list, in its columns, order and density. */
export function ListRows<Row extends ListRow>(props: ListRowsProps<Row>) {
  const { rows, isInert, showsSkeleton, detail, Card, isTall = false } = props;
  const { declaration, useTexts } = useListDefinition();
  const { title } = useTexts();
  const { density } = useListPreferences();
  const { search, change } = useListSearch();
  const selection = useOptionalSelection();
  const columns = useColumns(props);
  const { opener, below } = useDetails(detail);
  return (
    <ResponsiveTable
      caption={title}
      columns={opener ? [...columns, opener] : columns}
      rows={rows}
      density={density}
      sorting={{
        order: orderOf(declaration, search),
        sort: (field) => void change({ sort: nextOrder(declaration, field, search.sort) }),
      }}
      isSelected={({ id }) => selection?.isSelected(id) ?? false}
      isInert={isInert}
      showsSkeleton={showsSkeleton}
      below={below}
      isTall={isTall}
      {...(Card ? { Card } : {})}
      isFlat={props.isFlat ?? false}
    />
  );
}

/** The columns that the account chose, between the boxes and the buttons of the rows. */
function useColumns<Row extends ListRow>(props: ListRowsProps<Row>): SizedColumn<Row>[] {
  const { columns, Actions, actionsWidth = MENU_WIDTH, selectLabel, rows, isInert } = props;
  const { t } = useTranslation();
  const { declaration, useTexts } = useListDefinition();
  const { column: titleOf, selectPage: pageLabel = '' } = useTexts();
  const shown = useShownColumns();
  const selectable = isInert ? none : (rows ?? none);
  // The columns are memoised, because every row is drawn again when they change.
  return useMemo(() => {
    const drawn = drawnColumns(columns, declaration.columns, shown);
    const all: SizedColumn<Row>[] = titled(drawn, titleOf);
    if (selectLabel)
      all.unshift(selectColumn({ rows: selectable, pageLabel, labelOf: selectLabel }));
    if (Actions) {
      all.push({
        id: 'actions',
        kind: 'actions',
        title: t('list.actions'),
        cell: (row) => <Actions row={row} />,
        width: { size: actionsWidth },
      });
    }
    return all;
  }, [
    columns,
    declaration,
    shown,
    titleOf,
    selectLabel,
    selectable,
    pageLabel,
    Actions,
    actionsWidth,
    t,
  ]);
}

/** The column with the button that opens a row, and the content below opened rows. */
function useDetails<Row extends ListRow>(detail: RowDetail<Row> | undefined) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<readonly string[]>([]);
  if (!detail) return { opener: undefined, below: () => null };
  const { label, Content } = detail;
  const toggle = ({ id }: Row) =>
    setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id]);
  const opener: SizedColumn<Row> = {
    id: 'detail',
    kind: 'actions',
    title: t('list.actions'),
    inCard: 'badge',
    width: { size: MENU_WIDTH },
    cell: (row) => {
      const name = label(row);
      return (
        name !== null && (
          <IconButton
            size="small"
            label={name}
            aria-expanded={opened.includes(row.id)}
            onClick={() => toggle(row)}
          >
            <ChevronDown
              className="[button[aria-expanded=true]>&]:rotate-180"
              size={18}
              aria-hidden="true"
            />
          </IconButton>
        )
      );
    },
  };
  return { opener, below: (row: Row) => opened.includes(row.id) && <Content row={row} /> };
}

interface SelectPageProps {
  label: string;
  /** Ids of the rows on the page. */
  ids: readonly string[];
}

/** The look of the clickable area: the whole cell, or 44 px around the checkbox of a card. */
const TARGET =
  'grid place-items-center [:is(td,th)>&]:relative [:is(td,th)>&]:w-full [:is(td,th)>&]:h-full [:is(td,th)>&]:ps-(--box-start,16px) [li>&]:absolute [li>&]:top-0.5 [li>&]:start-[3px] [li>&]:w-11 [li>&]:h-11';

/** Checkbox that selects or deselects all rows on the page. */
function SelectPage({ label, ids }: SelectPageProps) {
  const { isSelected, togglePage } = useSelection();
  const selected = ids.filter((id) => isSelected(id)).length;
  const isAll = selected > 0 && selected === ids.length;
  return (
    <span className={TARGET}>
      <Checkbox
        fillsParent
        label={label}
        checked={isAll}
        isMixed={selected > 0 && !isAll}
        disabled={ids.length === 0}
        onChange={({ target }) => togglePage(ids, target.checked)}
      />
    </span>
  );
}

interface SelectRowProps extends SelectPageProps {
  id: string;
}

/** Checkbox that selects one row, or with Shift all rows from the last toggled one. */
function SelectRow({ label, id, ids }: SelectRowProps) {
  const { isSelected, toggle } = useSelection();
  const choose = (event: Event) => toggle(ids, id, event instanceof MouseEvent && event.shiftKey);
  return (
    <span className={TARGET}>
      <Checkbox
        fillsParent
        label={label}
        checked={isSelected(id)}
        onChange={({ nativeEvent }) => choose(nativeEvent)}
      />
    </span>
  );
}

interface SelectColumnProps<Row> {
  rows: readonly Row[];
  pageLabel: string;
  labelOf: (row: Row) => string;
}

/** The checkbox column of a table; without `rows` nothing can be selected. */
function selectColumn<Row extends { id: string }>(props: SelectColumnProps<Row>): SizedColumn<Row> {
  const ids = props.rows.map(({ id }) => id);
  return {
    id: 'select',
    kind: 'select',
    title: <SelectPage label={props.pageLabel} ids={ids} />,
    cell: (row) => <SelectRow label={props.labelOf(row)} id={row.id} ids={ids} />,
    width: { size: 50 },
  };
}
