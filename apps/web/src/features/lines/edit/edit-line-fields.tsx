import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { serverProtocols } from '@linekeeper/contract/servers/servers.ts';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { AccountInput } from '../../../shared/forms/pickers/account-picker.tsx';
import { DayInput } from '../../../shared/forms/pickers/day-picker.tsx';
import { PasswordField } from '../../../shared/forms/pickers/password-field.tsx';
import { ServerInput } from '../../../shared/forms/pickers/server-picker.tsx';
import { QuoteSummary } from '../../../shared/forms/quote-summary.tsx';
import { LineAddressChange } from '../../../shared/lines/line-address-change.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { RefusedChange } from '../refused-change.tsx';
import { useLaterDate } from '../renew/use-renewal-quote.ts';
import { NameField } from '../sell/name-field.tsx';
import styles from './edit-line.module.css';
import type { LineForm } from './edit-line-schema.ts';
import { StatusInput } from './status-input.tsx';

/** The protocols of card servers in lower case, as lines store them, and the line's own. */
function protocolOptions(current: string) {
  const known = serverProtocols.map((label) => ({ value: label.toLowerCase(), label }));
  const isKnown = known.some(({ value }) => value === current);
  return isKnown ? known : [...known, { value: current, label: current }];
}

interface FieldsProps {
  form: LineForm;
}

export function AccessFields({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  const { control } = form;
  return (
    <>
      <NameField
        control={control}
        name="username"
        label={t('columns.username')}
        hint={t('edit.usernameHint')}
        line={line}
        serverId={useWatch({ control, name: 'server_id' })}
      />
      <PasswordField
        form={form}
        name="password"
        label={t('edit.newPassword')}
        hint={t('edit.newPasswordHint')}
      />
      <ExpiryField form={form} line={line} />
      <StatusInput control={control} name="status" label={t('columns.status')} />
      <SelectInput
        control={control}
        name="protocol"
        label={t('credentials.protocol')}
        options={protocolOptions(line.protocol)}
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

/** Accepts both date formats; below the field stands the price of a later date. */
function ExpiryField({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  const { control } = form;
  const text = useWatch({ control, name: 'expiry_date' });
  const { quote, tooEarly, error } = useLaterDate(line, text);
  return (
    <div>
      <DayInput
        control={control}
        name="expiry_date"
        label={t('columns.expiry')}
        problem={tooEarly ? t('renew.mustBeLater', { day: formatDay(tooEarly) }) : undefined}
        required
      />
      {quote && (
        <div className={styles.price}>
          <QuoteSummary quote={quote} />
        </div>
      )}
      {error !== null && <RefusedChange error={error} />}
    </div>
  );
}

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
      <LineAddressChange
        line={line}
        serverId={useWatch({ control: form.control, name: 'server_id' })}
      />
      <AccountInput
        control={form.control}
        name="owner_id"
        label={t('columns.owner')}
        initial={{ id: line.owner_id, email: line.owner_email }}
        isLate
      />
    </>
  );
}

const customerTexts = ['name', 'company', 'role', 'email', 'avatar_url'] as const;
const types = { email: 'email', avatar_url: 'url' } as const;

export function CustomerFields({ form }: FieldsProps) {
  const { t } = useTranslation('lines');
  const { control } = form;
  return (
    <Stack as="fieldset" gap={24} className={styles.group}>
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
    </Stack>
  );
}

const serverTexts = ['user_value', 'live_channel', 'info'] as const;

export function ServerTextFields({ form }: FieldsProps) {
  const { t } = useTranslation('lines');
  return (
    <Stack as="fieldset" gap={24} className={styles.group}>
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
    </Stack>
  );
}
