import type { Line } from '@linekeeper/contract/lines.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ColumnId } from './columns.tsx';
import { nextOrder, orderOf, type SortableColumn } from './search.ts';
import { SelectPage } from './select-boxes.tsx';
import { useLinesSearch } from './use-lines-search.ts';

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
        <th scope="col" colSpan={2} data-column="actions">
          <span className="visually-hidden">{t('actions.column')}</span>
        </th>
      </tr>
    </thead>
  );
}

function SortableHead({ id, sortBy }: { id: ColumnId; sortBy: SortableColumn }) {
  const { t } = useTranslation('lines');
  const { search, change } = useLinesSearch();
  const order = orderOf(search);
  const isUp = order === sortBy;
  const isDown = order === `-${sortBy}`;
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
