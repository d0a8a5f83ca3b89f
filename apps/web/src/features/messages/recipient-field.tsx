import { useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { RequiredMark } from '../../shared/forms/fields/field-frame.tsx';
import { AccountInput } from '../../shared/forms/pickers/account-picker.tsx';
import { Radio } from '../../shared/ui/controls/radio.tsx';
import styles from './create-message.module.css';
import type { MessageControl } from './message-form.ts';

/** Everyone, or one account that is searched for. */
export function RecipientField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const { field } = useController({ control, name: 'is_global' });
  const choices = [
    { isGlobal: true, label: t('everyone'), hint: t('form.everyoneHint') },
    { isGlobal: false, label: t('form.one'), hint: t('form.oneHint') },
  ];
  return (
    <>
      <fieldset className={styles.recipients}>
        <legend>
          {t('form.recipient')}
          <RequiredMark />
        </legend>
        {choices.map(({ isGlobal, label, hint }) => (
          <label key={label}>
            <span>
              {label}
              <small>{hint}</small>
            </span>
            <Radio
              name={name}
              checked={field.value === isGlobal}
              onChange={() => field.onChange(isGlobal)}
            />
          </label>
        ))}
      </fieldset>
      {!field.value && (
        <AccountInput
          control={control}
          name="recipient_id"
          label={t('field.account')}
          hint={t('form.account')}
          initial={null}
          required
        />
      )}
    </>
  );
}
