import type { Line } from '@linekeeper/contract/lines.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { nextOrder } from './search.ts';
import { SelectPage } from './select-boxes.tsx';
import { useLinesSearch } from './use-lines-search.ts';

export type SortableColumn = 'username' | 'expiry_date';
export type ColumnId = 'username' | 'password' | 'expiry' | 'status' | 'server' | 'owner';

interface HeadColumn {
  id: ColumnId;
  sortBy: SortableColumn | undefined;
}

export function LinesTableHead({ columns, lines }: { columns: HeadColumn[]; lines: Line[] }) {
  const { t } = useTranslation('lines');
  return (
    <thead>
      <tr>
        <td data-column="select">
          <SelectPage lines={lines} />
        </td>
        {columns.map(({ id, sortBy }) =>
          sortBy ? (
            <SortableHead key={id} id={id} sortBy={sortBy} />
          ) : (
            <th key={id} scope="col" data-column={id}>
              {t(`columns.${id}`)}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

/** Without an order of its own the list shows what was added last first: no column says so. */
function SortableHead({ id, sortBy }: { id: ColumnId; sortBy: SortableColumn }) {
  const { t } = useTranslation('lines');
  const { search, change } = useLinesSearch();
  const isUp = search.sort === sortBy;
  const isDown = search.sort === `-${sortBy}`;
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <button type="button" onClick={() => change({ sort: nextOrder(sortBy, search.sort) })}>
        {t(`columns.${id}`)}
        {isUp && <ArrowUp size={14} aria-hidden="true" />}
        {isDown && <ArrowDown size={14} aria-hidden="true" />}
      </button>
    </th>
  );
}
