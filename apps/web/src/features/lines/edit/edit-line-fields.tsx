import { formatDay } from '@linekeeper/contract/dates.ts';
import { type LineDetailName, lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { lineServerQuery } from '#domain/lines/queries.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { QuoteSummary } from '#domain/prices/quote-summary.tsx';
import { RefusedChange } from '#features/lines/refused-change.tsx';
import { DetailInput } from '#features/lines/sell/detail-input.tsx';
import { NameField } from '#features/lines/sell/name-field.tsx';
import { rememberLabel } from '#kit/forms/field-labels.ts';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { useMe } from '#platform/data/session.ts';
import { useStatusText } from '#platform/i18n/use-status-text.ts';
import { entriesOf, type LineForm } from './edit-line-schema.ts';
import { FieldGroup } from './field-group.tsx';
import { StatusInput } from './status-input.tsx';
import { useLaterDate } from './use-later-date.ts';

/** The protocols of card servers in lower case, as lines store them, and the line's own. */
function protocolOptions(current: string) {
  const known = serverProtocols.map((label) => ({ value: label.toLowerCase(), label }));
  const isKnown = known.some(({ value }) => value === current);
  return isKnown ? known : [...known, { value: current, label: current }];
}

const rareDetails = lineDetailsWith('isRare', true);
const isCommon = (name: LineDetailName) => !rareDetails.some((rare) => rare === name);
const customerDetails = lineDetailsWith('group', 'customer').filter(isCommon);

interface FieldsProps {
  form: LineForm;
}

/** The fields of a line that are changed often, which are therefore not folded. */
export function CommonFields({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('lines');
  const { control } = form;
  return (
    <>
      <NameField
        control={control}
        name="username"
        label={t('field.username')}
        hint={t('edit.usernameHint')}
        line={line}
        serverId={line.server_id}
      />
      <PasswordField
        form={form}
        name="password"
        label={t('field.newPassword')}
        hint={t('recurring.keepPassword')}
      />
      <TextInput control={control} name="notes" label={t('field.notes')} multiline rows={3} />
    </>
  );
}

/** Groups of fields that are changed rarely, each folded, with its values as a summary. */
export function RareFields({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation(['line', 'lines']);
  const { control } = form;
  const held = useHeldTexts(form, line);
  const server = useServerName(line.server_id);
  return (
    <div className="divided border border-divider rounded-pop">
      <FieldGroup form={form} names={['expiry_date']} title={t('field.expiry')} held={held.expiry}>
        <ExpiryField form={form} line={line} />
      </FieldGroup>
      <FieldGroup form={form} names={['status']} title={t('edit.labels')} held={held.labels}>
        <StatusInput control={control} name="status" label={t('field.status')} />
      </FieldGroup>
      <FieldGroup
        form={form}
        names={customerDetails}
        title={t('recurring.customer')}
        held={held.customer}
      >
        {customerDetails.map((name) => (
          <DetailInput key={name} control={control} name={name} />
        ))}
      </FieldGroup>
      <FieldGroup
        form={form}
        names={['host_port', 'protocol']}
        title={t('edit.technical')}
        held={held.hasOwnAddress ? held.address : t('edit.asServer', { server })}
      >
        <TextInput
          control={control}
          name="host_port"
          label={t('field.host_port')}
          hint={t('lines:edit.host_portHint')}
          multiline
          spellCheck={false}
        />
        <SelectInput
          control={control}
          name="protocol"
          label={t('field.protocol')}
          options={protocolOptions(line.protocol)}
          required
        />
      </FieldGroup>
      <FieldGroup form={form} names={rareDetails} title={t('recurring.rare')} held={held.rare}>
        {rareDetails.map((name) => (
          <DetailInput key={name} control={control} name={name} />
        ))}
      </FieldGroup>
      <NetworksGroup form={form} line={line} />
    </div>
  );
}

/** The group with the exemption from the limit of networks, which only administrators may change. */
function NetworksGroup({ form, line }: FieldsProps & { line: Line }) {
  const { t } = useTranslation('line');
  const { id, is_admin } = useMe();
  const { field } = useController({ control: form.control, name: 'sharing_exempt' });
  const label = t('edit.networksAllowed');
  useEffect(() => rememberLabel(form.control, 'sharing_exempt', label), [form.control, label]);
  if (!is_admin && id === line.owner_id) return null;
  return (
    <FieldGroup
      form={form}
      names={['sharing_exempt']}
      title={t('edit.networks')}
      held={t(`edit.networksAre.${field.value ? 'allowed' : 'noted'}`)}
    >
      <SwitchRow label={label} checked={field.value ?? false} onChange={field.onChange} />
    </FieldGroup>
  );
}

/** The current values of each group as they are typed, for its summary. */
function useHeldTexts({ control }: LineForm, line: Line) {
  const { t } = useTranslation('line');
  const statusText = useStatusText();
  const [expiry, status, name, company, phone, email, address] = useWatch({
    control,
    name: ['expiry_date', 'status', 'name', 'company', 'phone', 'email', 'host_port'],
  });
  const rare = useWatch({ control, name: rareDetails });
  const customer = [name || company, phone || email].filter(Boolean);
  const { data: server } = useQuery(lineServerQuery(line.id));
  const [first = ''] = entriesOf(address ?? '');
  return {
    expiry,
    labels: entriesOf(status ?? '')
      .map((label) => statusText(label))
      .join(', '),
    customer: customer.length > 0 ? customer.join(', ') : t('edit.noCustomer'),
    rare: rare.filter(Boolean).join(', '),
    address: first,
    hasOwnAddress: first !== '' && first !== server?.host_port,
  };
}

/** The field for the expiry date. It accepts both date formats; the price of a later date is below it. */
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
        label={t('field.expiry')}
        problem={tooEarly ? t('renew.mustBeLater', { day: formatDay(tooEarly) }) : undefined}
        required
      />
      {quote && (
        <div className="mt-2 pt-1 px-4 pb-3 rounded-[12px] bg-head [&_dl]:m-0 [&_dl]:pt-2 [&_dl]:border-0">
          <QuoteSummary quote={quote} />
        </div>
      )}
      {error !== null && <RefusedChange error={error} />}
    </div>
  );
}
