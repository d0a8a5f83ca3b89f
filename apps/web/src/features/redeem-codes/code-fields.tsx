import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { DayInput } from '../../shared/forms/pickers/day-picker.tsx';
import styles from './codes.module.css';

interface CodeFields extends FieldValues {
  description?: string | undefined;
  max_uses?: number | undefined;
  day: string;
  time: string;
}

/** The last fields of both code forms: label, uses, and the end as a day with or without a time. */
export function CodeFields<Values extends CodeFields, Output>({
  control,
}: {
  control: Control<Values, unknown, Output>;
}) {
  const { t } = useTranslation('redeemCodes');
  const named = (name: keyof CodeFields) => ({ control, name: name as FieldPath<Values> });
  return (
    <>
      <TextInput {...named('description')} label={t('columns.label')} hint={t('form.labelHint')} />
      <TextInput
        {...named('max_uses')}
        label={t('form.uses')}
        hint={t('form.usesHint')}
        type="number"
      />
      <div className={styles.expiry}>
        <DayInput {...named('day')} label={t('form.day')} hint={t('form.dayHint')} />
        <TextInput {...named('time')} label={t('form.time')} hint={t('form.timeHint')} />
      </div>
    </>
  );
}
