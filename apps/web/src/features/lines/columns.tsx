import { showDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import type { LineColumn } from '@linekeeper/contract/preferences.ts';
import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import cells from './cells.module.css';
import { ExpiryBadge } from './expiry-badge.tsx';
import { PasswordCell } from './password-cell.tsx';
import type { SortableColumn } from './search.ts';
import { StatusBadge } from './status-badge.tsx';
import { SyncChip } from './sync-chip.tsx';
import { useTermText } from './use-term-text.ts';

export type ColumnId = 'username' | LineColumn;

interface ColumnLook {
  sortBy?: SortableColumn;
}

/** Sorting and paging are the server's: the table itself needs none of its features. */
export const features = tableFeatures({ columnMeta: {} as ColumnLook });
const column = createColumnHelper<typeof features, Line>();

/** A text that may be longer than its column, or none. */
const textColumn = (id: 'name' | 'company' | 'email' | 'notes' | 'owner_email') =>
  column.accessor(id, {
    id: id === 'owner_email' ? 'owner' : id,
    cell: ({ getValue }) => <Text value={getValue()} />,
  });

/** Their widths are in column-widths.ts. */
export const columns = column.columns([
  column.accessor('username', {
    id: 'username',
    cell: ({ getValue }) => <Username name={getValue()} />,
    meta: { sortBy: 'username' },
  }),
  column.accessor('password', {
    id: 'password',
    cell: ({ row }) => <PasswordCell line={row.original} />,
  }),
  column.accessor('expiry_date', {
    id: 'expiry',
    cell: ({ getValue }) => <ExpiryBadge day={getValue()} />,
    meta: { sortBy: 'expiry_date' },
  }),
  column.accessor('status', {
    id: 'status',
    cell: ({ row }) => <StatusBadge line={row.original} />,
  }),
  column.accessor('server_id', {
    id: 'server',
    cell: ({ row }) => <SyncChip line={row.original} />,
  }),
  textColumn('owner_email'),
  textColumn('name'),
  textColumn('company'),
  textColumn('email'),
  textColumn('notes'),
  column.accessor('added_date', {
    id: 'added',
    cell: ({ getValue }) => <time dateTime={getValue()}>{showDay(getValue())}</time>,
    meta: { sortBy: 'added_date' },
  }),
  column.accessor('subscription_months', {
    id: 'term',
    cell: ({ row }) => <Term line={row.original} />,
  }),
]);

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

function Text({ value }: { value: string | null }) {
  if (!value) return null;
  return (
    <span className={cells.ellipsis} title={value}>
      {value}
    </span>
  );
}

function Term({ line }: { line: Line }) {
  return useTermText()(line);
}
