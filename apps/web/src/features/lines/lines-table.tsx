import type { Line } from '@linekeeper/contract/lines.ts';
import { useTable } from '@tanstack/react-table';
import { type CSSProperties, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../../shared/preferences.ts';
import { columnWidth, LEAST_USERNAME, leastWidth, SCROLLED_USERNAME } from './column-widths.ts';
import { type ColumnId, columns, features } from './columns.tsx';
import styles from './lines-table.module.css';
import { LinesTableHead } from './lines-table-head.tsx';
import { MoreButton, RenewButton } from './row-buttons.tsx';
import { SelectLine } from './select-boxes.tsx';
import { useFits } from './use-fits.ts';
import { useSelection } from './use-selection.tsx';
import { useShownColumns } from './use-shown-columns.ts';

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
      <td colSpan={2} />
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

function useLinesTable(lines: Line[]) {
  const shown = useShownColumns();
  const shownColumns = useMemo(
    () => columns.filter(({ id }) => ['username', ...shown].some((shownId) => shownId === id)),
    [shown],
  );
  const table = useTable({
    features,
    columns: shownColumns,
    data: lines,
    getRowId: ({ id }) => id,
  });
  return { shown, table };
}

export function LinesTable({ lines, isVisible = false }: LinesTableProps) {
  const { t, i18n } = useTranslation('lines');
  const { density } = usePreferences();
  const { isSelected } = useSelection();
  const { shown, table } = useLinesTable(lines ?? none);
  const frame = useRef<HTMLDivElement>(null);
  const minWidth = leastWidth(shown, i18n.language);
  const fits = useFits(frame, minWidth);
  const tableWidth = fits ? minWidth : minWidth + SCROLLED_USERNAME - LEAST_USERNAME;
  const heads = table.getFlatHeaders();
  return (
    <div ref={frame} className={styles.frame} data-scrolls={!fits || undefined}>
      <table
        className={styles.table}
        style={{ minWidth: tableWidth, ...stickyWidths(i18n.language) } as CSSProperties}
        data-density={density}
        aria-busy={!lines}
      >
        <caption className="visually-hidden">{t('title')}</caption>
        <Widths />
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
              <td data-column="renew">
                <RenewButton line={row.original} variant="text" size="small" />
              </td>
              <td data-column="more">
                <MoreButton line={row.original} size="tiny" />
              </td>
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

/** How far from the edges the columns stay that do not scroll. */
function stickyWidths(language: string) {
  return {
    '--select-width': `${columnWidth('select', language)}px`,
    '--more-width': `${columnWidth('more', language)}px`,
  };
}

/** The username has no width of its own: it gets what the others leave. */
function Widths() {
  const { i18n } = useTranslation();
  const shown = useShownColumns();
  const width = (column: Parameters<typeof columnWidth>[0]) => ({
    width: columnWidth(column, i18n.language),
  });
  return (
    <colgroup>
      <col style={width('select')} />
      <col />
      {shown.map((column) => (
        <col key={column} style={width(column)} />
      ))}
      <col style={width('renew')} />
      <col style={width('more')} />
    </colgroup>
  );
}
