import { formatDay } from '@linekeeper/contract/dates.ts';
import { type LineDetailName, lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import { isSuspendedLabel, statusColor } from '@linekeeper/contract/fields/line-fields.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineStatuses } from '@linekeeper/contract/lists/lists.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import {
  type FieldPath,
  type FieldValues,
  useController,
  useFormState,
  useWatch,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { lineServerQuery } from '#domain/lines/queries.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { QuoteSummary } from '#domain/prices/quote-summary.tsx';
import { RefusedChange } from '#features/lines/refused-change.tsx';
import { DetailInput } from '#features/lines/sell/detail-input.tsx';
import { NameField } from '#features/lines/sell/name-field.tsx';
import { rememberLabel } from '#kit/forms/field-labels.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { useShownWhenWrong } from '#kit/forms/use-shown-when-wrong.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { useStatusText } from '#platform/i18n/use-status-text.ts';
import { type EditLineValues, entriesOf, type LineForm } from './edit-line-schema.ts';
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

interface FieldGroupProps {
  form: LineForm;
  names: readonly FieldPath<EditLineValues>[];
  title: string;
  /** A short summary of the values of its fields. */
  held: string;
  children: ReactNode;
}

/** A group of folded fields with a summary of their values. It unfolds if one of them has an error. */
function FieldGroup({ form: { control }, names, title, held, children }: FieldGroupProps) {
  const { errors, submitCount } = useFormState({ control });
  const [isOpen, setOpen] = useState(false);
  const group = useShownWhenWrong<HTMLDetailsElement>({
    isWrong: names.some((name) => name in errors),
    submitCount,
    show: () => setOpen(true),
  });
  return (
    <details ref={group} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex items-center gap-2 min-h-13 pt-1 pr-3 pb-1 pl-4 rounded-pop list-none cursor-pointer">
        <span className="type-strong">{title}</span>
        <span className="flex-1 min-w-0 text-end text-text-2 truncate">
          <TypedText>{held}</TypedText>
        </span>
        <ChevronDown
          className="flex-none text-icon-quiet [details[open]>summary>&]:rotate-180"
          size={18}
          aria-hidden="true"
        />
      </summary>
      <div className="grid grid-cols-1 gap-6 pt-2 px-4 pb-5">{children}</div>
    </details>
  );
}

const MOST_LABELS = 5;
const MAX_LENGTH = 40;

/**
 * The input of status labels, one per line of text: known ones by buttons, others typed. The label "Suspended" cannot
 * be added or removed here, because suspending is a separate action.
 */
function StatusInput<Values extends FieldValues, Output>(props: FieldProps<Values, Output>) {
  const { t } = useTranslation('lines');
  const statusText = useStatusText();
  const { field, frame, input } = useField({ ...props, hint: t('edit.statusHint') });
  const [own, setOwn] = useState('');
  const labels = entriesOf(field.value ?? '');
  const has = (label: string) => labels.some((one) => one.toLowerCase() === label.toLowerCase());
  const isFull = labels.length >= MOST_LABELS;
  const keep = (next: string[]) => field.onChange(next.join('\n'));
  const add = (label: string) => {
    if (label && !has(label) && !isFull) keep([...labels, label]);
  };
  const addOwn = () => {
    add(own.trim());
    setOwn('');
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Without this, Enter would submit the form.
    event.preventDefault();
    addOwn();
  };
  return (
    <FieldFrame {...frame}>
      <ul className="flex flex-wrap items-stretch gap-2 min-h-6 [&_button]:grid [&_button]:place-items-center [&_button]:w-7 [&_button]:h-7 [&_button]:rounded-[50%] [&_button]:text-icon [&_button]:hover:bg-head [&_button]:phone:w-11 [&_button]:phone:h-11">
        {labels.map((label) => (
          <li className="flex items-center" key={label}>
            <Badge tone={statusColor(label)}>{statusText(label)}</Badge>
            {!isSuspendedLabel({ label }) && (
              <button
                type="button"
                aria-label={t('removeOf', { name: statusText(label) })}
                onClick={() => keep(labels.filter((one) => one !== label))}
              >
                <X size={14} strokeWidth={2} aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-stretch gap-2 mt-2">
        {lineStatuses
          .filter((label) => !has(label) && !isSuspendedLabel({ label }))
          .map((label) => (
            <Button key={label} size="small" disabled={isFull} onClick={() => add(label)}>
              <Plus size={14} aria-hidden="true" />
              {statusText(label)}
            </Button>
          ))}
      </div>
      <div className="flex items-stretch gap-2 mt-2 [&>button]:h-11 [&>button]:phone:h-12">
        <InputBox>
          <input
            {...input}
            ref={field.ref}
            dir="auto"
            value={own}
            maxLength={MAX_LENGTH}
            placeholder={t('edit.ownStatus')}
            disabled={isFull}
            autoComplete="off"
            onChange={({ target }) => setOwn(target.value)}
            onKeyDown={addOnEnter}
            onBlur={field.onBlur}
          />
        </InputBox>
        <Button onClick={addOwn} disabled={isFull || own.trim() === ''}>
          {t('action.add')}
        </Button>
      </div>
    </FieldFrame>
  );
}
