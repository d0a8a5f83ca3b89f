import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './bulk-dialog.module.css';

const MAX_REASON = 500;

/** The reason, which is the same for all lines. */
export function SuspendChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'suspend'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  return (
    <div className={styles.choice}>
      <p>{t('preview.suspendText')}</p>
      <div className={styles.field}>
        <label htmlFor={id}>
          <b>{lines('suspend.reason')}</b>
        </label>
        <textarea
          id={id}
          className={styles.notes}
          dir="auto"
          rows={2}
          maxLength={MAX_REASON}
          aria-describedby={`${id}-hint`}
          value={change.reason ?? ''}
          onChange={({ target }) => onChange({ ...change, reason: target.value })}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          {t('preview.reasonHint')}
        </p>
      </div>
    </div>
  );
}
