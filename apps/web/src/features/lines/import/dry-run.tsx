import { parseDay } from '@linekeeper/contract/dates.ts';
import { bulkLines, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { MAX_BULK_MB, MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartJob } from '#domain/jobs/queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { type Draft, excessMegabytes, extendsLines, type ImportBody, importBody } from './draft.ts';
import { missingFields } from './import-fields.ts';
import { ImportResult } from './import-result.tsx';
import { Failed, ImportActions } from './result-parts.tsx';
import { withUnreadable } from './unreadable-rows.ts';

/** The panel's result for one request, which applies to no other request. */
interface Checked {
  body: ImportBody;
  job: Job;
}

interface DryRunProps {
  draft: Draft;
  /** The lines of the file, read with the columns that the draft assigns. */
  lines: FoundLine[];
  onOrdered: () => void;
}

/**
 * The step of an import in which the panel checks every row without importing any, followed by the
 * button that imports them.
 */
export function DryRun({ draft, lines, onOrdered }: DryRunProps) {
  const { t } = useTranslation('bulk');
  const [checked, setChecked] = useState<Checked>();
  const lastDay = parseDay(draft.lastDay.trim());
  const body = useMemo(() => importBody(draft, lines, lastDay), [draft, lines, lastDay]);
  const { order, orderRows, check, checkRows } = useImport(body, setChecked, onOrdered);
  const isTable = draft.file.format === 'csv';
  const hasLastDay = lastDay !== null || lines.some(({ expiry }) => expiry !== null);
  const given = { hasLastDay, isExtending: extendsLines(draft) };
  const missing = isTable ? missingFields(draft.mapping, given) : [];
  const isTooLong = lines.length > MAX_IMPORT_ROWS;
  const excess = useMemo(() => excessMegabytes(body, MAX_BULK_MB), [body]);
  const isTooMuch = isTooLong || excess !== undefined;
  const isDayWrong = draft.lastDay.trim() !== '' && lastDay === null;
  const canCheck = missing.length === 0 && !isTooMuch && !isDayWrong && lines.length > 0;
  const job =
    checked?.body === body ? withUnreadable(checked.job, lines, draft.mapping) : undefined;
  return (
    <>
      {isTooLong && (
        <Banner
          isAlert
          tone="error"
          title={t('import.tooMany', { count: lines.length, maximum: MAX_IMPORT_ROWS })}
        />
      )}
      {!isTooLong && excess !== undefined && (
        <Banner
          isAlert
          tone="error"
          title={t('import.tooMuch', { size: excess, maximum: MAX_BULK_MB })}
        />
      )}
      {missing.length > 0 && (
        <Banner
          tone="info"
          title={t('import.missing', {
            fields: missing.map((field) => t(`field.${field}`)).join(', '),
          })}
        />
      )}
      {lines.length === 0 && missing.length === 0 && (
        <Banner tone="warning" title={t('import.noneValid')} />
      )}
      <Failed error={order.error ?? check.error} />
      {job ? (
        <ImportResult
          draft={draft}
          job={job}
          lines={lines}
          isOrdering={order.isPending}
          onImport={(onlyValid) => void orderRows(onlyValid, job.cost)}
        />
      ) : (
        <ImportActions>
          <p className="text-text-2 type-caption">{t('import.dryRunHint')}</p>
          <Button
            variant="solid"
            pending={check.isPending}
            disabled={!canCheck}
            onClick={checkRows}
          >
            {t('import.dryRun')}
          </Button>
        </ImportActions>
      )}
    </>
  );
}

/** The result for a file without a readable row, which needs no request. */
const noRows: Job = {
  ...{ id: null, action: 'import', arguments: {}, state: 'preview' },
  ...{ username: null, line_id: null, expiry_date: null },
  ...{ total: 0, done: 0, failed: 0, skipped: 0, not_synced: 0, pending: 0, waits_on: [] },
  ...{
    cost: 0,
    credits: 0,
    credits_after: 0,
    of_others: [],
    undo_of: null,
    undone_by: null,
    to_tell: 0,
    kinds: null,
    can_undo: false,
  },
  ...{ created_at: null, finished_at: null, items: [] },
};

function useImport(body: ImportBody, onChecked: (checked: Checked) => void, onOrdered: () => void) {
  const navigate = useNavigate();
  const { is_admin } = useMe();
  const order = useStartJob({ isSilent: true });
  const check = useCommand(bulkLines, { isRepeatable: true, isSilent: true });
  const done = ({ job }: { job: Job }) => {
    onOrdered();
    void navigate({ to: '/users/all', search: { job: job.id ?? undefined } });
  };
  const askAgain = () =>
    check.send({ ...body, preview: true }, { done: ({ job }) => onChecked({ body, job }) });
  const orderRows = (only_valid: boolean, cost: number) =>
    order.send(
      { ...body, only_valid, ...(is_admin ? {} : { quoted_cost: cost }) },
      {
        done,
        refused: (error) => {
          if (error instanceof ApiError && error.code === 'QUOTE_CHANGED') void askAgain();
        },
      },
    );
  const checkRows = () => {
    order.forgetError();
    if (body.rows.length === 0) return onChecked({ body, job: noRows });
    void askAgain();
  };
  return { order, orderRows, check, checkRows };
}
