import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { RequiredMark } from '#kit/forms/fields/field-frame.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { type MessageControl, recipientKinds } from './message-form.ts';

/** The choice of a message's recipients: everyone, one account, or the accounts with lines on a server. */
export function RecipientField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const { field } = useController({ control, name: 'to' });
  return (
    <>
      <fieldset className="grid grid-cols-3 gap-3 phone:grid-cols-1 phone:gap-2 [&_legend]:mb-2 [&_label]:py-3 [&_label]:px-4 [&_label>span]:min-w-0">
        <legend>
          {t('field.recipient_id')}
          <RequiredMark />
        </legend>
        {recipientKinds.map((kind) => (
          <label className="choice flex items-start justify-between gap-3" key={kind}>
            {kind === 'everyone' ? t('everyone') : t(`form.to.${kind}`)}
            <Radio
              name={name}
              checked={field.value === kind}
              onChange={() => field.onChange(kind)}
            />
          </label>
        ))}
      </fieldset>
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
      label={t('field.server')}
      placeholder={t('form.chooseServer')}
      options={servers.map(({ id, server_name }) => ({ value: id, label: server_name }))}
      required
    />
  );
}
