import type { Line } from '@linekeeper/contract/lines.ts';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/session.ts';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import cells from './cells.module.css';
import { ExpiryBadge } from './expiry-badge.tsx';
import styles from './lines-table.module.css';
import { type ColumnId, LinesTableHead, type SortableColumn } from './lines-table-head.tsx';
import { PasswordCell } from './password-cell.tsx';
import { SelectLine } from './select-boxes.tsx';
import { StatusBadge } from './status-badge.tsx';
import { SyncChip } from './sync-chip.tsx';
import { useSelection } from './use-selection.tsx';

interface ColumnLook {
  sortBy?: SortableColumn;
}

/** Sorting and paging are the server's: the table itself needs none of its features. */
const features = tableFeatures({ columnMeta: {} as ColumnLook });
const column = createColumnHelper<typeof features, Line>();

/** Their widths are in lines-table.module.css, by the column's id. */
const columns = column.columns([
  column.accessor('username', {
    cell: ({ getValue }) => <Username name={getValue()} />,
    meta: { sortBy: 'username' },
  }),
  column.accessor('password', { cell: ({ row }) => <PasswordCell line={row.original} /> }),
  column.accessor('expiry_date', {
    id: 'expiry',
    cell: ({ getValue }) => <ExpiryBadge day={getValue()} />,
    meta: { sortBy: 'expiry_date' },
  }),
  column.accessor('status', { cell: ({ row }) => <StatusBadge line={row.original} /> }),
  column.accessor('server_id', {
    id: 'server',
    cell: ({ row }) => <SyncChip line={row.original} />,
  }),
  column.accessor('owner_email', {
    id: 'owner',
    cell: ({ getValue }) => (
      <span className={cells.ellipsis} title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
]);
const ownColumns = columns.filter(({ id }) => id !== 'owner');

function Username({ name }: { name: string }) {
  const { t } = useTranslation('lines');
  return (
    <span className={cells.username}>
      <span className={cells.ellipsis} title={name}>
        {name}
      </span>
      <CopyButton value={name} label={t('copyUsername', { username: name })} />
    </span>
  );
}

const skeletonRows = Array.from({ length: 11 }, (_, index) => index);

/** In place of rows that take longer than a moment; not visible, they only keep the room. */
function SkeletonRows({ columnIds, isVisible }: { columnIds: string[]; isVisible: boolean }) {
  return skeletonRows.map((row) => (
    <tr key={row} className={styles.skeletonRow} data-visible={isVisible || undefined}>
      <td data-column="select" />
      {columnIds.map((id) => (
        <td key={id} data-column={id}>
          <span className={styles.bone} />
          {id === 'expiry' && <span className={styles.bone} data-shape="badge" />}
        </td>
      ))}
    </tr>
  ));
}

interface LinesTableProps {
  /** Left out while the first rows are on their way. */
  lines?: Line[];
  /** Whether their room shows skeletons yet. */
  isVisible?: boolean;
}

const none: Line[] = [];

export function LinesTable({ lines, isVisible = false }: LinesTableProps) {
  const { t } = useTranslation('lines');
  const { isSelected } = useSelection();
  const shownColumns = useMe().is_admin ? columns : ownColumns;
  const table = useTable({
    features,
    columns: shownColumns,
    data: lines ?? none,
    getRowId: ({ id }) => id,
  });
  const heads = table.getFlatHeaders();
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-busy={!lines}>
        <caption className="visually-hidden">{t('title')}</caption>
        <LinesTableHead
          lines={lines ?? none}
          columns={heads.map(({ column: { id, columnDef } }) => ({
            id: id as ColumnId,
            sortBy: columnDef.meta?.sortBy,
          }))}
        />
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} data-selected={isSelected(row.id) || undefined}>
              <td data-column="select">
                <SelectLine line={row.original} lines={lines ?? none} />
              </td>
              {row.getAllCells().map((cell) =>
                cell.column.id === 'username' ? (
                  <th key={cell.id} scope="row" data-column="username">
                    <table.FlexRender cell={cell} />
                  </th>
                ) : (
                  <td key={cell.id} data-column={cell.column.id}>
                    <table.FlexRender cell={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
          {!lines && (
            <SkeletonRows columnIds={heads.map(({ column: { id } }) => id)} isVisible={isVisible} />
          )}
        </tbody>
      </table>
    </div>
  );
}
