import { Checkbox } from '../../ui/controls/checkbox.tsx';
import type { SizedColumn } from '../table/column.ts';
import styles from './select-boxes.module.css';
import { useSelection } from './selection-context.tsx';

interface SelectPageProps {
  label: string;
  /** Ids of the rows on the page. */
  ids: readonly string[];
}

/** Checkbox that selects or deselects all rows on the page. */
function SelectPage({ label, ids }: SelectPageProps) {
  const { isSelected, togglePage } = useSelection();
  const selected = ids.filter((id) => isSelected(id)).length;
  const isAll = selected > 0 && selected === ids.length;
  return (
    <span className={styles.target}>
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
export function SelectRow({ label, id, ids }: SelectRowProps) {
  const { isSelected, toggle } = useSelection();
  const choose = (event: Event) => toggle(ids, id, event instanceof MouseEvent && event.shiftKey);
  return (
    <span className={styles.target}>
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
export function selectColumn<Row extends { id: string }>(
  props: SelectColumnProps<Row>,
): SizedColumn<Row> {
  const ids = props.rows.map(({ id }) => id);
  return {
    id: 'select',
    kind: 'select',
    title: <SelectPage label={props.pageLabel} ids={ids} />,
    cell: (row) => <SelectRow label={props.labelOf(row)} id={row.id} ids={ids} />,
    width: { size: 50 },
  };
}
