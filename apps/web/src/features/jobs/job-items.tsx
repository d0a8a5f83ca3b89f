import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleAlert, CircleCheck, CircleMinus, Clock, CloudAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemValues } from '../../shared/jobs/item-values.tsx';
import { jobQuery } from '../../shared/jobs/queries.ts';
import { inFileOrder, shownItems } from '../../shared/jobs/shown-items.ts';
import { useItemReason } from '../../shared/jobs/use-item-reason.ts';
import { useItemTexts } from '../../shared/jobs/use-item-texts.ts';
import type { Column } from '../../shared/list/table/column.ts';
import { SmallTable } from '../../shared/list/table/small-table.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { CheckboxField } from '../../shared/ui/controls/checkbox-field.tsx';
import { ScrollArea } from '../../shared/ui/dialogs/sheet-dialog.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './jobs.module.css';

const looks = {
  done: { tone: 'success', icon: <CircleCheck /> },
  failed: { tone: 'error', icon: <CircleAlert /> },
  notOnServer: { tone: 'warning', icon: <CloudAlert /> },
  skipped: { tone: 'neutral', icon: <CircleMinus /> },
  waiting: { tone: 'neutral', icon: <Clock /> },
} as const;

function outcomeOf({ state, sync_state }: JobItem): keyof typeof looks {
  return state === 'done' && sync_state === 'failed' ? 'notOnServer' : state;
}

/** The result of each line; at first only the lines with problems. */
export function JobItems({ job }: { job: Job & { id: string } }) {
  const { t } = useTranslation('bulk');
  const [wantsProblems, setWantsProblems] = useState(true);
  const hasProblems = job.failed + job.not_synced > 0;
  const which = hasProblems && wantsProblems ? 'failed' : 'all';
  const { data, error, refetch } = useQuery(jobQuery(job.id, which));
  return (
    <>
      {hasProblems && (
        <CheckboxField checked={wantsProblems} onChange={setWantsProblems}>
          {t('onlyProblems')}
        </CheckboxField>
      )}
      {error && !data && <FailedPanel error={error} onRetry={refetch} />}
      {data && <ItemTable items={data.items} isFile={job.action === 'import'} />}
    </>
  );
}

function ItemTable({ items, isFile }: { items: JobItem[]; isFile: boolean }) {
  const { t } = useTranslation('bulk');
  const { rows: chosen, more } = shownItems(items);
  const rows = isFile ? inFileOrder(chosen) : chosen;
  const texts = useItemTexts(rows);
  const place: Column<JobItem> = {
    id: 'row',
    title: t('columns.row'),
    look: 'quiet',
    cell: ({ position }) => position,
  };
  const columns: Column<JobItem>[] = [
    ...(isFile ? [place] : []),
    {
      id: 'username',
      kind: 'name',
      title: t('columns.username'),
      cell: ({ username }) => <TypedText>{username}</TypedText>,
    },
    { id: 'result', title: t('columns.result'), cell: (item) => <Outcome item={item} /> },
    {
      id: 'change',
      title: t('columns.change'),
      look: 'quiet',
      cell: (item) => (
        <>
          {item.state === 'done' && <Change from={texts.before(item)} to={texts.after(item)} />}
          <Reason item={item} />
        </>
      ),
    },
  ];
  return (
    <ScrollArea label={t('preview.table')}>
      <SmallTable
        isStacked
        columns={columns}
        rows={rows}
        rowId={({ position }) => position}
        more={more > 0 && t('more', { count: more })}
      />
    </ScrollArea>
  );
}

function Change({ from, to }: { from: string[]; to: string[] }) {
  return (
    <Row as="span" inline wrap className={styles.change}>
      <span>
        <ItemValues values={from} />
      </span>
      {from.length > 0 && to.length > 0 && <ArrowRight size={14} aria-hidden="true" />}
      <span>
        <ItemValues values={to} />
      </span>
    </Row>
  );
}

function Outcome({ item }: { item: JobItem }) {
  const { t } = useTranslation('bulk');
  const outcome = outcomeOf(item);
  const { tone, icon } = looks[outcome];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state.${outcome}`)}
    </Badge>
  );
}

function Reason({ item }: { item: JobItem }) {
  const reason = useItemReason()(item);
  return reason ? <p>{reason}</p> : null;
}
