import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useLineColumns } from '../../../shared/lines/columns.tsx';
import { SizedTable } from '../../../shared/list/table/sized-table.tsx';
import { useListSearch } from '../../../shared/list/use-list.ts';
import { type ListTableRows, useListTable } from '../../../shared/list/use-list-table.ts';

/** The lines list as a table, for windows wider than a phone. */
export function LinesTable(rows: ListTableRows<Line>) {
  const { t } = useTranslation('lines');
  const { search } = useListSearch();
  const columns = useLineColumns(search.q?.trim() ?? '');
  const selectLabel = useCallback(({ username }: Line) => t('select.one', { username }), [t]);
  return <SizedTable {...useListTable({ ...rows, columns, selectLabel })} />;
}
