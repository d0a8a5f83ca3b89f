import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import { CalendarX, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useItemTexts } from '#domain/jobs/use-item-texts.ts';
import { isShort } from '#domain/prices/is-short.ts';
import { BalanceSummary } from '#features/lines/bulk/balance-summary.tsx';
import { useEffectText } from '#features/lines/bulk/use-effect-text.ts';
import type { Column } from '#kit/list/table/column.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import type { Draft } from './draft.ts';
import { DownloadProblems, fileRows } from './problem-rows.tsx';
import {
  CheckedRows,
  ImportActions,
  OnlyValid,
  RefusedRow,
  SHOWN_AT_ONCE,
} from './result-parts.tsx';

interface ImportResultProps {
  draft: Draft;
  lines: readonly FoundLine[];
  job: Job;
  isOrdering: boolean;
  onImport: (onlyValid: boolean) => void;
}

export function ImportResult({ draft, lines, job, isOrdering, onImport }: ImportResultProps) {
  const { t } = useTranslation('bulk');
  const effect = useEffectText();
  const { is_admin } = useMe();
  // For a long file, rows with problems are shown first.
  const [onlyProblems, setOnlyProblems] = useState(job.skipped > 0 && job.total > SHOWN_AT_ONCE);
  const [onlyValid, setOnlyValid] = useState(false);
  const valid = job.total - job.skipped;
  const isWanted = valid > 0 && (job.skipped === 0 || onlyValid);
  const canImport = isWanted && (is_admin || !isShort({ cost: job.cost, balance: job.credits }));
  const problems = job.items.filter(({ state }) => state === 'skipped');
  return (
    <Card title={t('import.result')}>
      <div className="grid grid-cols-1 gap-4">
        <p role="status">
          <b>
            {t('import.valid', { count: valid })}
            {job.skipped > 0 && `, ${t('import.invalid', { count: job.skipped })}`}
          </b>
        </p>
        {job.skipped > 0 && (
          <div className="flex items-center flex-wrap justify-between gap-y-0 gap-x-4">
            <CheckboxField checked={onlyProblems} onChange={setOnlyProblems}>
              {t('import.onlyProblems')}
            </CheckboxField>
            <DownloadProblems file={fileRows(draft, lines)} items={problems} />
          </div>
        )}
        <ImportRows key={String(onlyProblems)} items={onlyProblems ? problems : job.items} />
        {job.skipped > 0 && valid > 0 && <OnlyValid value={onlyValid} onChange={setOnlyValid} />}
        {isWanted && <BalanceSummary job={job} lines={valid} />}
        {valid === 0 && <Banner tone="warning" title={t('import.noneValid')} />}
        <ImportActions>
          <div className="text-text-2 type-caption">
            {job.skipped > 0 && !onlyValid && valid > 0 && <p>{t('import.wouldBeNothing')}</p>}
            {job.skipped > 0 && <p>{t('import.correct')}</p>}
          </div>
          <Button
            variant="solid"
            pending={isOrdering}
            disabled={!canImport}
            onClick={() => onImport(onlyValid)}
          >
            {effect('import', isWanted ? valid : null, job.cost)}
          </Button>
        </ImportActions>
      </div>
    </Card>
  );
}

/** All rows of the file, with their row numbers in the file. */
function ImportRows({ items }: { items: JobItem[] }) {
  const { t } = useTranslation('bulk');
  const columns: Column<JobItem>[] = [
    {
      id: 'username',
      kind: 'name',
      title: t('field.username'),
      cell: ({ username }) => <TypedText>{username}</TypedText>,
    },
    {
      id: 'cost',
      title: t('field.cost'),
      align: 'end',
      cell: ({ state, cost }) => (state === 'skipped' ? '' : t('number', { value: cost })),
    },
    {
      id: 'result',
      title: t('field.result'),
      cell: (item) =>
        item.state === 'skipped' ? <RefusedRow error={item.error} /> : <Becomes item={item} />,
    },
  ];
  return <CheckedRows items={items} columns={columns} />;
}

/** The line that a row becomes. An expired line is marked, because its customer cannot use it. */
function Becomes({ item }: { item: JobItem }) {
  const { t } = useTranslation('bulk');
  const { day, after } = useItemTexts();
  const today = useToday();
  const what = after(item).join(', ');
  const last = item.after?.expiry_date;
  if (typeof last === 'string' && last < today) {
    return (
      <Badge tone="warning" icon={<CalendarX />}>
        {t('import.ended', { what })}
      </Badge>
    );
  }
  return (
    <Badge tone="success" icon={<CircleCheck />}>
      {item.before
        ? t('import.extended', { from: day(item.before), what })
        : t('import.becomes', { what })}
    </Badge>
  );
}
