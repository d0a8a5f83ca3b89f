import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { RadioPill } from '../../../shared/ui/controls/radio-pill.tsx';
import { Caption, Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './bulk-dialog.module.css';

/** 'Expired' follows from the date, and lines are suspended by an action of its own. */
const statuses = ['active', 'inactive'] as const;
const MAX_NOTES = 5000;

export function EditChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'edit'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  const [kept, setKept] = useState('');
  const replacesNotes = change.notes !== undefined;
  const setNotes = (notes: string | undefined) => onChange({ ...change, notes });
  return (
    <Stack gap={16}>
      <fieldset className={styles.field}>
        <legend>{lines('columns.status')}</legend>
        <Row align="stretch" gap={8} wrap className={styles.pills}>
          {[undefined, ...statuses].map((status) => (
            <RadioPill
              key={status ?? ''}
              size="medium"
              name={`${id}-status`}
              checked={change.status === status}
              onChange={() => onChange({ ...change, status })}
            >
              {status ? lines(`status.${status}`) : t('preview.keep')}
            </RadioPill>
          ))}
        </Row>
      </fieldset>
      <div className={styles.field}>
        <CheckboxField
          checked={replacesNotes}
          onChange={(isChecked) => setNotes(isChecked ? kept : undefined)}
        >
          <b>{t('preview.replaceNotes')}</b>
        </CheckboxField>
        {replacesNotes && (
          <>
            <textarea
              className={styles.notes}
              dir="auto"
              rows={3}
              maxLength={MAX_NOTES}
              aria-label={t('preview.notes')}
              aria-describedby={`${id}-hint`}
              value={change.notes ?? ''}
              onChange={({ target }) => {
                setKept(target.value);
                setNotes(target.value);
              }}
            />
            <Caption id={`${id}-hint`} as="p">
              {t('preview.notesHint')}
            </Caption>
          </>
        )}
      </div>
    </Stack>
  );
}
