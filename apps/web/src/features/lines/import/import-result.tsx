import type { FoundLine } from '@linekeeper/contract/files/found-line.ts';
import type { Job, JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { Caption, Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import { BalanceSummary } from '../bulk/balance-summary.tsx';
import { useEffectText } from '../bulk/use-effect-text.ts';
import { DownloadProblems } from './download-problems.tsx';
import type { Draft } from './draft.ts';
import styles from './import.module.css';
import { ImportRows } from './import-rows.tsx';

interface ImportResultProps {
  draft: Draft;
  lines: readonly FoundLine[];
  job: Job;
  isOrdering: boolean;
  onImport: (onlyValid: boolean) => void;
}

/** The dry run's result for each row, and the button that starts the import. */
export function ImportResult({ draft, lines, job, isOrdering, onImport }: ImportResultProps) {
  const { t } = useTranslation('bulk');
  const effect = useEffectText();
  const { is_admin } = useMe();
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [onlyValid, setOnlyValid] = useState(false);
  const valid = job.total - job.skipped;
  const isWanted = valid > 0 && (job.skipped === 0 || onlyValid);
  const canImport = isWanted && (is_admin || job.credits_after >= 0);
  const isProblem = ({ state }: JobItem) => state === 'skipped';
  return (
    <Card title={t('import.result')}>
      <Stack gap={16}>
        <p role="status">
          <b>
            {t('import.valid', { count: valid })}
            {job.skipped > 0 && `, ${t('import.invalid', { count: job.skipped })}`}
          </b>
        </p>
        {job.skipped > 0 && (
          <Row justify="between" wrap className={styles.problems}>
            <CheckboxField checked={onlyProblems} onChange={setOnlyProblems}>
              {t('import.onlyProblems')}
            </CheckboxField>
            <DownloadProblems draft={draft} lines={lines} job={job} />
          </Row>
        )}
        <ImportRows items={onlyProblems ? job.items.filter(isProblem) : job.items} />
        {job.skipped > 0 && valid > 0 && (
          <OnlyValid valid={valid} value={onlyValid} onChange={setOnlyValid} />
        )}
        {isWanted && <BalanceSummary job={job} lines={valid} />}
        {valid === 0 && <Banner tone="warning" title={t('import.noneValid')} />}
        <Row justify="end" wrap className={styles.actions}>
          <Caption as="div">
            {job.skipped > 0 && !onlyValid && valid > 0 && (
              <p>{t('import.wouldBeNothing', { count: job.skipped })}</p>
            )}
            {job.skipped > 0 && <p>{t('import.correct')}</p>}
          </Caption>
          <Button
            variant="solid"
            pending={isOrdering}
            disabled={!canImport}
            onClick={() => onImport(onlyValid)}
          >
            {effect('import', isWanted ? valid : null, job.cost)}
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}

interface OnlyValidProps {
  valid: number;
  value: boolean;
  onChange: (onlyValid: boolean) => void;
}

function OnlyValid({ valid, value, onChange }: OnlyValidProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{t('import.ifWrong')}</legend>
      <label>
        <input type="radio" name={name} checked={!value} onChange={() => onChange(false)} />
        {t('import.nothing')}
      </label>
      <label>
        <input type="radio" name={name} checked={value} onChange={() => onChange(true)} />
        {t('import.onlyValid', { count: valid })}
      </label>
    </fieldset>
  );
}
