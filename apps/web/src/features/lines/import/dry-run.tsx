import { bulkLines, type Job, MAX_IMPORT_ROWS } from '@linekeeper/contract/bulk.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { useIdempotencyKey } from '../../../shared/api/use-idempotency-key.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useOrderJob } from '../../../shared/jobs/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { Banner } from '../../../shared/ui/banner.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { RequestDetails } from '../../../shared/ui/request-details.tsx';
import { type Draft, dataRows } from './draft.ts';
import styles from './import.module.css';
import { type ImportField, type Mapping, missingFields, sentCell } from './import-fields.ts';
import { ImportResult } from './import-result.tsx';
import type { FileRow } from './read-file.ts';

type ImportRow = Partial<Record<ImportField, string>>;

function rowOf({ cells }: FileRow, mapping: Mapping): ImportRow {
  return Object.fromEntries(
    mapping.flatMap((field, column) =>
      field ? [[field, sentCell(field, cells[column] ?? '')]] : [],
    ),
  );
}

/** What the panel says to a draft; of another draft it says nothing. */
interface Checked {
  draft: Draft;
  job: Job;
}

/** Lets the panel judge every row, and orders the import when the reader wants it. */
export function DryRun({ draft, onOrdered }: { draft: Draft; onOrdered: () => void }) {
  const { t } = useTranslation('bulk');
  const [checked, setChecked] = useState<Checked>();
  const { order, check } = useImport(draft, setChecked, onOrdered);
  const rows = dataRows(draft);
  const missing = missingFields(draft.mapping);
  const isTooLong = rows.length > MAX_IMPORT_ROWS;
  const canCheck = missing.length === 0 && !isTooLong && rows.length > 0;
  const job = checked?.draft === draft ? checked.job : undefined;
  return (
    <>
      {isTooLong && (
        <Banner
          isAlert
          tone="error"
          title={t('import.tooMany', { count: rows.length, maximum: MAX_IMPORT_ROWS })}
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
      <Failed error={order.error ?? check.error} />
      {job ? (
        <ImportResult
          job={job}
          isOrdering={order.isPending}
          onImport={(onlyValid) => order.send(onlyValid)}
        />
      ) : (
        <div className={styles.actions}>
          <p className={styles.hint}>{t('import.dryRunHint')}</p>
          <Button
            variant="solid"
            pending={check.isPending}
            disabled={!canCheck}
            onClick={() => check.mutate()}
          >
            {t('import.dryRun')}
          </Button>
        </div>
      )}
    </>
  );
}

function useImport(draft: Draft, onChecked: (checked: Checked) => void, onOrdered: () => void) {
  const navigate = useNavigate();
  const keyOf = useIdempotencyKey();
  const order = useOrderJob();
  const wish = () => {
    const rows = dataRows(draft);
    return {
      action: 'import' as const,
      rows: rows.map((row) => rowOf(row, draft.mapping)),
      row_numbers: rows.map(({ number }) => number),
    };
  };
  const check = useMutation({
    mutationFn: () => call(bulkLines, { body: { ...wish(), preview: true } }),
    onSuccess: ({ job }) => onChecked({ draft, job }),
    onMutate: () => order.reset(),
    // The rows hold passwords.
    gcTime: 0,
  });
  const send = (only_valid: boolean) => {
    const body = { ...wish(), only_valid };
    order.mutate(
      { body, idempotencyKey: keyOf(body) },
      {
        onSuccess: ({ job }) => {
          onOrdered();
          void navigate({ to: paths.lines(), search: { job: job.id ?? undefined } });
        },
      },
    );
  };
  return { check, order: { ...order, send } };
}

function Failed({ error }: { error: unknown }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Banner isAlert tone="error" title={errorText(error)}>
      <RequestDetails error={error} />
    </Banner>
  );
}
