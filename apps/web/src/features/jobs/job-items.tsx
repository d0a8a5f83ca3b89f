import type { Job, JobItem } from '@linekeeper/contract/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CircleAlert, CircleCheck, CircleMinus, Clock, CloudAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemValues } from '../../shared/jobs/item-values.tsx';
import { jobQuery } from '../../shared/jobs/queries.ts';
import { inFileOrder, shownItems } from '../../shared/jobs/shown-items.ts';
import { useItemReason } from '../../shared/jobs/use-item-reason.ts';
import { useItemTexts } from '../../shared/jobs/use-item-texts.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { CheckboxField } from '../../shared/ui/checkbox-field.tsx';
import table from '../../shared/ui/data-table.module.css';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { ScrollArea } from '../../shared/ui/sheet-dialog.tsx';
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

/** What became of each line, those with problems alone at first. */
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
  return (
    <ScrollArea label={t('preview.table')}>
      <table className={table.table}>
        <thead>
          <tr>
            {isFile && <th scope="col">{t('columns.row')}</th>}
            <th scope="col">{t('columns.username')}</th>
            <th scope="col">{t('columns.result')}</th>
            <th scope="col">{t('columns.change')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => (
            <ItemRow key={item.position} {...{ item, texts, isFile }} />
          ))}
          {more > 0 && (
            <tr>
              <td colSpan={isFile ? 4 : 3} data-look="more">
                {t('more', { count: more })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Change({ from, to }: { from: string[]; to: string[] }) {
  return (
    <span className={styles.change}>
      <span>
        <ItemValues values={from} />
      </span>
      {from.length > 0 && to.length > 0 && <ArrowRight size={14} aria-hidden="true" />}
      <span>
        <ItemValues values={to} />
      </span>
    </span>
  );
}

interface ItemRowProps {
  item: JobItem;
  texts: ReturnType<typeof useItemTexts>;
  isFile: boolean;
}

function ItemRow({ item, texts, isFile }: ItemRowProps) {
  const { t } = useTranslation('bulk');
  const reason = useItemReason()(item);
  const outcome = outcomeOf(item);
  const { tone, icon } = looks[outcome];
  return (
    <tr>
      {isFile && <td data-look="quiet">{item.position}</td>}
      <th scope="row" className={styles.username}>
        {item.username}
      </th>
      <td>
        <Badge tone={tone} icon={icon}>
          {t(`state.${outcome}`)}
        </Badge>
      </td>
      <td data-look="quiet">
        {item.state === 'done' && <Change from={texts.before(item)} to={texts.after(item)} />}
        {reason && <p>{reason}</p>}
      </td>
    </tr>
  );
}
