import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { RequiredMark } from '#kit/forms/fields/field-frame.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { Grid, Row, Stack } from '#kit/ui/vocabulary.tsx';
import styles from './create-message.module.css';
import { type MessageControl, recipientKinds } from './message-form.ts';

/** To whom a message goes: everyone, one account, or the accounts with lines on a server. */
export function RecipientField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const { field } = useController({ control, name: 'to' });
  return (
    <>
      <Grid
        as="fieldset"
        columns="repeat(3, minmax(0, 1fr))"
        gap={12}
        single="phone"
        phoneGap={8}
        className={styles.recipients}
      >
        <legend>
          {t('form.recipient')}
          <RequiredMark />
        </legend>
        {recipientKinds.map((kind) => (
          <Row as="label" align="start" gap={12} justify="between" className="choice" key={kind}>
            <Stack as="span" strong>
              {t(`form.to.${kind}`)}
              <small>{t(`form.hint.${kind}`)}</small>
            </Stack>
            <Radio
              name={name}
              checked={field.value === kind}
              onChange={() => field.onChange(kind)}
            />
          </Row>
        ))}
      </Grid>
      {field.value === 'one' && (
        <AccountInput
          control={control}
          name="recipient_id"
          label={t('field.account')}
          hint={t('form.account')}
          initial={null}
          required
        />
      )}
      {field.value === 'server' && <ServerField control={control} />}
    </>
  );
}

function ServerField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('form.server')}
      placeholder={t('form.chooseServer')}
      hint={t('form.serverHint')}
      options={servers.map(({ id, server_name }) => ({ value: id, label: server_name }))}
      required
    />
  );
}
