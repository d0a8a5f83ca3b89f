import { bulkLines, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { MAX_BULK_MB, MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { useSend } from '../../../shared/forms/use-send.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useStartJob } from '../../../shared/jobs/queries.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { RequestDetails } from '../../../shared/ui/states/request-details.tsx';
import { type Draft, dataRows, excessMegabytes, importBody } from './draft.ts';
import styles from './import.module.css';
import { missingFields } from './import-fields.ts';
import { ImportResult } from './import-result.tsx';

/** The panel's result for one draft; it does not apply to any other draft. */
interface Checked {
  draft: Draft;
  job: Job;
}

/** Lets the panel check every row without importing, then orders the import on request. */
export function DryRun({ draft, onOrdered }: { draft: Draft; onOrdered: () => void }) {
  const { t } = useTranslation('bulk');
  const [checked, setChecked] = useState<Checked>();
  const { order, check, orderRows } = useImport(draft, setChecked, onOrdered);
  const rows = dataRows(draft);
  const missing = missingFields(draft.mapping);
  const isTooLong = rows.length > MAX_IMPORT_ROWS;
  const excess = useMemo(() => excessMegabytes(draft, MAX_BULK_MB), [draft]);
  const isTooMuch = isTooLong || excess !== undefined;
  const canCheck = missing.length === 0 && !isTooMuch && rows.length > 0;
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
      <Failed error={order.error ?? check.error} />
      {job ? (
        <ImportResult
          draft={draft}
          job={job}
          isOrdering={order.isPending}
          onImport={(onlyValid) => void orderRows(onlyValid)}
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
  const order = useSend({
    send: useStartJob().mutateAsync,
    onSuccess: ({ job }) => {
      onOrdered();
      void navigate({ to: '/users/all', search: { job: job.id ?? undefined } });
    },
  });
  const check = useMutation({
    mutationFn: () => call(bulkLines, { body: { ...importBody(draft), preview: true } }),
    onSuccess: ({ job }) => onChecked({ draft, job }),
    onMutate: order.forgetError,
    // Keeps nothing in the cache because the rows contain passwords.
    gcTime: 0,
  });
  const orderRows = (only_valid: boolean) => order.send({ ...importBody(draft), only_valid });
  return { check, order, orderRows };
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
