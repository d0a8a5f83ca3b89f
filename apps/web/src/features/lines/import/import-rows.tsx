import type { JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useItemTexts } from '../../../shared/jobs/use-item-texts.ts';
import type { Column } from '../../../shared/list/table/column.ts';
import { SmallTable } from '../../../shared/list/table/small-table.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { ScrollArea } from '../../../shared/ui/dialogs/sheet-dialog.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from './import.module.css';
import { useRowReason } from './use-row-reason.ts';

interface ImportRowsProps {
  items: JobItem[];
}

/** Every row of the file, by its row number in the file. */
export function ImportRows({ items }: ImportRowsProps) {
  const { t } = useTranslation('bulk');
  const { day, after } = useItemTexts(items);
  const reason = useRowReason();
  const columns: Column<JobItem>[] = [
    { id: 'row', title: t('columns.row'), look: 'quiet', cell: ({ position }) => position },
    {
      id: 'username',
      kind: 'name',
      title: t('columns.username'),
      cell: ({ username }) => <TypedText>{username}</TypedText>,
    },
    {
      id: 'cost',
      title: t('columns.cost'),
      align: 'end',
      cell: ({ state, cost }) => (state === 'skipped' ? '' : t('number', { value: cost })),
    },
    {
      id: 'result',
      title: t('columns.result'),
      cell: (item) =>
        item.state === 'skipped' ? (
          <Row as="span" align="start" gap={8} className={styles.problem}>
            <CircleAlert size={16} aria-hidden="true" />
            {reason(item)}
          </Row>
        ) : (
          <Badge tone="success" icon={<CircleCheck />}>
            {item.before
              ? t('import.extended', { from: day(item.before), what: after(item).join(', ') })
              : t('import.becomes', { what: after(item).join(', ') })}
          </Badge>
        ),
    },
  ];
  return (
    <div className={styles.rows}>
      <ScrollArea label={t('import.result')}>
        <SmallTable isStacked columns={columns} rows={items} rowId={({ position }) => position} />
      </ScrollArea>
    </div>
  );
}
