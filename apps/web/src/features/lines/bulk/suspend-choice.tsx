import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Caption, Stack } from '../../../shared/ui/vocabulary.tsx';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './bulk-dialog.module.css';

const MAX_REASON = 500;

/** The reason, which is the same for all lines. */
export function SuspendChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'suspend'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  return (
    <Stack gap={16}>
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
        <Caption id={`${id}-hint`} as="p">
          {t('preview.reasonHint')}
        </Caption>
      </div>
    </Stack>
  );
}
