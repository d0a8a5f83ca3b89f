import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../../shared/ui/checkbox-field.tsx';
import styles from './bulk-dialog.module.css';
import type { ChoiceProps, TermOf } from './term.ts';

/** Expired is what a line becomes by its date. */
const statuses = ['active', 'inactive', 'suspended'] as const;
const MAX_NOTES = 5000;

export function EditChoice({ term, onChange }: ChoiceProps<TermOf<'edit'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  const [kept, setKept] = useState('');
  const replacesNotes = term.notes !== undefined;
  const setNotes = (notes: string | undefined) => onChange({ ...term, notes });
  return (
    <div className={styles.choice}>
      <fieldset className={styles.field}>
        <legend>{lines('columns.status')}</legend>
        <div className={styles.pills}>
          {[undefined, ...statuses].map((status) => (
            <label key={status ?? ''}>
              <input
                type="radio"
                name={`${id}-status`}
                checked={term.status === status}
                onChange={() => onChange({ ...term, status })}
              />
              {status ? lines(`status.${status}`) : t('preview.keep')}
            </label>
          ))}
        </div>
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
              rows={3}
              maxLength={MAX_NOTES}
              aria-label={t('preview.notes')}
              aria-describedby={`${id}-hint`}
              value={term.notes ?? ''}
              onChange={({ target }) => {
                setKept(target.value);
                setNotes(target.value);
              }}
            />
            <p id={`${id}-hint`} className={styles.hint}>
              {t('preview.notesHint')}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
