import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/forms/field-frame.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useField } from '../../shared/forms/use-field.ts';
import { DayBox } from './day-field.tsx';
import styles from './edit-line.module.css';
import type { LineForm } from './edit-line-schema.ts';
import { OwnerInput } from './owner-input.tsx';
import { PasswordField } from './password-field.tsx';
import { RenewalSummary } from './renewal-summary.tsx';
import { ServerInput } from './server-input.tsx';
import { StatusInput } from './status-input.tsx';
import { useLaterDate } from './use-later-date.ts';

interface FieldsProps {
  form: LineForm;
}

export function AccessFields({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  const { control } = form;
  return (
    <>
      <TextInput
        control={control}
        name="username"
        label={t('columns.username')}
        hint={t('edit.usernameHint')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <PasswordField
        control={control}
        name="password"
        label={t('edit.newPassword')}
        hint={t('edit.newPasswordHint')}
        onGenerate={(password) =>
          form.setValue('password', password, { shouldDirty: true, shouldValidate: true })
        }
      />
      <ExpiryField form={form} line={line} />
      <StatusInput control={control} name="status" label={t('columns.status')} />
      <TextInput
        control={control}
        name="protocol"
        label={t('credentials.protocol')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextInput
        control={control}
        name="host_port"
        label={t('edit.host_port')}
        hint={t('edit.host_portHint')}
        multiline
        spellCheck={false}
      />
    </>
  );
}

/** Both date forms are taken; what a later one costs stands below it. */
function ExpiryField({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  const { field, frame, input } = useField({
    control: form.control,
    name: 'expiry_date',
    label: t('columns.expiry'),
    required: true,
  });
  const quote = useLaterDate(line, field.value ?? '');
  return (
    <div>
      <FieldFrame {...frame}>
        <DayBox
          {...input}
          ref={field.ref}
          name={field.name}
          value={field.value ?? ''}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      </FieldFrame>
      {quote && (
        <div className={styles.price}>
          <RenewalSummary quote={quote} isEarlier={quote.expiry_date < line.expiry_date} />
        </div>
      )}
    </div>
  );
}

/** Where the line is, which administrators change. */
export function PlaceFields({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  return (
    <>
      <ServerInput
        control={form.control}
        name="server_id"
        label={t('columns.server')}
        hint={t('move.serverHint')}
        currentId={line.server_id}
      />
      <OwnerInput
        control={form.control}
        name="owner_id"
        label={t('columns.owner')}
        initial={{ id: line.owner_id, email: line.owner_email }}
      />
    </>
  );
}

const customerTexts = ['name', 'company', 'role', 'email', 'avatar_url'] as const;
const types = { email: 'email', avatar_url: 'url' } as const;

/** Who has the line. */
export function CustomerFields({ form }: FieldsProps) {
  const { t } = useTranslation('lines');
  const { control } = form;
  return (
    <fieldset className={styles.group}>
      <legend>{t('edit.customer')}</legend>
      {customerTexts.map((name) => (
        <TextInput
          key={name}
          control={control}
          name={name}
          label={t(`add.${name}`)}
          type={name in types ? types[name as keyof typeof types] : 'text'}
          autoComplete="off"
        />
      ))}
      <TextInput control={control} name="notes" label={t('add.notes')} multiline rows={3} />
    </fieldset>
  );
}

const serverTexts = ['user_value', 'live_channel', 'info'] as const;

export function ServerTextFields({ form }: FieldsProps) {
  const { t } = useTranslation('lines');
  return (
    <fieldset className={styles.group}>
      <legend>{t('edit.more')}</legend>
      {serverTexts.map((name) => (
        <TextInput
          key={name}
          control={form.control}
          name={name}
          label={t(`add.${name}`)}
          autoComplete="off"
        />
      ))}
    </fieldset>
  );
}
