import type { OscamRight } from '@linekeeper/contract/servers/rights.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { rightsChoicesQuery } from '#features/prices/queries.ts';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { CheckPill } from '#kit/ui/controls/pills.tsx';
import { SwitchField } from '#kit/ui/controls/switch-row.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { AS_IT_IS, type PlanFormOf } from './plan-form.ts';

interface ServerRightsProps {
  form: PlanFormOf;
  index: number;
  /** The server; undefined until it is loaded. */
  server: Server | undefined;
}

/** True if a server accepts rights: APIs without an agent do not, and an agent that has not called yet will. */
const takesRights = ({ kind, agent_version, awaited_id }: Server) =>
  kind === 'oscam_webif' || agent_version !== null || awaited_id !== null;

/** The rights of the plan's lines on one server. */
export function ServerRights({ form, index, server }: ServerRightsProps) {
  const { t } = useTranslation('prices');
  if (server && !takesRights(server)) return <p className="text-text-2">{t('rights.notTaken')}</p>;
  return (
    <>
      {server ? <ReadRights form={form} index={index} server={server} /> : null}
      <Connections form={form} index={index} />
      <MoreRights
        form={form}
        index={index}
        isCccam={server?.kind === 'api' && server.protocol === 'CCcam'}
      />
    </>
  );
}

interface PartProps {
  form: PlanFormOf;
  index: number;
}

/** Groups and services, chosen from those of the card server if it reports them. */
function ReadRights({ form, index, server }: PartProps & { server: Server }) {
  const { t, i18n } = useTranslation('prices');
  const { data, error } = useQuery(rightsChoicesQuery(server.id));
  if (!data && !error) return <div className="min-h-40" />;
  const groups = data?.groups?.map(({ group, readers }) => ({
    value: String(group),
    note: t('rights.readers', { count: readers }),
  }));
  const services = data?.services?.map((value) => ({ value }));
  const from =
    data?.read_at &&
    t('rights.readAt', { time: formatTime(Date.parse(data.read_at), i18n.language) });
  return (
    <>
      <RightChips
        form={form}
        name={`servers.${index}.oscam.group`}
        label={t('rights.group')}
        aside={from}
        hint={t('rights.groupHint')}
        offered={groups}
      />
      <RightChips
        form={form}
        name={`servers.${index}.oscam.services`}
        label={t('rights.services')}
        aside={t('rights.noneIsAll')}
        hint={t('rights.servicesHint')}
        offered={services}
      />
    </>
  );
}

interface RightChipsProps {
  form: PlanFormOf;
  name: `servers.${number}.oscam.${'group' | 'services'}`;
  label: string;
  aside: ReactNode;
  /** The hint of the text field, which is shown if the card server does not report its choices. */
  hint: string;
  offered: readonly { value: string; note?: string }[] | undefined;
}

const listed = (text: string | null | undefined) =>
  (text ?? '').split(',').filter((part) => part !== '');

function RightChips({ form, name, label, aside, hint, offered }: RightChipsProps) {
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useFieldErrorText()(fieldState.error);
  const [first] = useState(() => listed(field.value));
  if (!offered?.length) {
    return (
      <TextInput
        control={form.control}
        name={name}
        label={label}
        hint={hint}
        autoComplete="off"
        spellCheck={false}
        isNullable
      />
    );
  }
  const chosen = listed(field.value);
  // Values that the card server no longer has stay in the list, so that they can be chosen again.
  const unknown = [...new Set([...first, ...chosen])].filter(
    (value) => !offered.some((one) => one.value === value),
  );
  const options = [...offered, ...unknown.map((value) => ({ value, note: undefined }))];
  const choose = (value: string, isChosen: boolean) => {
    const next = options.filter((one) =>
      one.value === value ? isChosen : chosen.includes(one.value),
    );
    field.onChange(next.map((one) => one.value).join(',') || null);
  };
  return (
    <fieldset aria-labelledby={id} className="min-w-0">
      <div className="flex items-center flex-wrap justify-between gap-x-4 mb-2">
        <span id={id} className="type-strong">
          {label}
        </span>
        <span className="text-text-2 type-caption">{aside}</span>
      </div>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, note }) => (
          <CheckPill
            key={value}
            checked={chosen.includes(value)}
            onChange={(isChosen) => choose(value, isChosen)}
          >
            <span className="wrap-anywhere">{value}</span>
            {note && <span className="text-text-2 font-normal type-caption">{note}</span>}
          </CheckPill>
        ))}
      </div>
      {problem && <p className="mt-1 text-danger type-caption">{problem}</p>}
    </fieldset>
  );
}

/** The values of OSCam's `uniq`. */
const uniqWays = [AS_IT_IS, '0', '1', '2', '3', '4'] as const;

function Connections({ form: { control }, index }: PartProps) {
  const { t } = useTranslation('prices');
  return (
    <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
      <TextInput
        control={control}
        name={`servers.${index}.oscam.max_connections`}
        label={t('field.connections')}
        type="number"
        placeholder={t('rights.asItIs')}
        autoComplete="off"
        isNullable
      />
      <SelectInput
        control={control}
        name={`servers.${index}.oscam.uniq`}
        label={t('rights.uniq.name')}
        options={uniqWays.map((value) => ({ value, label: t(`rights.uniq.${value}`) }))}
      />
    </div>
  );
}

const rare = ['caid', 'ident', 'cccmaxhops', 'cccreshare'] as const satisfies readonly OscamRight[];

/** Rights that most plans leave to the card server, folded unless one of them has an error. */
function MoreRights({ form, index, isCccam }: PartProps & { isCccam: boolean }) {
  const { t } = useTranslation('prices');
  const { control } = form;
  const [isOpen, setOpen] = useState(false);
  const { errors } = useFormState({ control });
  const { oscam, cccam } = errors.servers?.[index] ?? {};
  const isWrong = cccam !== undefined || rare.some((name) => oscam?.[name]);
  const entered = useWatch({ control, name: `servers.${index}` });
  const said = rare.filter((name) => entered.oscam[name] !== null);
  const held = said.map((name) => `${t(`rights.${name}`)} ${entered.oscam[name]}`);
  return (
    <details
      className="[&[open]>summary>svg]:[rotate:90deg] -my-2"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex gap-2 items-center min-h-11 rounded-control cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden="true" />
        <span className="type-strong">{t('places.more')}</span>
        <span className="min-w-0 text-text-2 type-caption truncate phone:hidden [details[open]>summary>&]:hidden">
          {held.length > 0 ? held.join(', ') : t('rights.moreAsTheyAre')}
        </span>
      </summary>
      <div className="grid grid-cols-2 items-start gap-4 pt-2 pb-4 phone:grid-cols-1">
        {rare.map((name) => (
          <TextInput
            key={name}
            control={control}
            name={`servers.${index}.oscam.${name}`}
            label={t(`rights.${name}`)}
            type={name === 'caid' || name === 'ident' ? 'text' : 'number'}
            placeholder={t('rights.asItIs')}
            autoComplete="off"
            spellCheck={false}
            isNullable
          />
        ))}
        {isCccam && <FOptions form={form} index={index} />}
      </div>
    </details>
  );
}

/** The rights of a line without options in CCcam. */
const FIRST_OPTIONS = { uphops: 5, shareemus: true, allowemm: true, limits: null };

/** The options of an F line of CCcam, which are all given or none. */
function FOptions({ form: { control, setValue }, index }: PartProps) {
  const { t } = useTranslation('prices');
  const name = `servers.${index}.cccam` as const;
  const options = useWatch({ control, name });
  const set = (part: 'shareemus' | 'allowemm', isOn: boolean) =>
    setValue(`${name}.${part}`, isOn, { shouldDirty: true });
  return (
    <div className="col-span-full grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
      <div className="col-span-full">
        <SwitchField
          checked={options !== null}
          onChange={(isOn) => setValue(name, isOn ? FIRST_OPTIONS : null, { shouldDirty: true })}
        >
          {t('rights.fLine')}
        </SwitchField>
      </div>
      {options && (
        <>
          <TextInput
            control={control}
            name={`${name}.uphops`}
            label={t('rights.uphops')}
            type="number"
            autoComplete="off"
            required
          />
          <TextInput
            control={control}
            name={`${name}.limits`}
            label={t('rights.limits')}
            placeholder="{ 0500:030B00:1 }"
            autoComplete="off"
            spellCheck={false}
            isNullable
          />
          <SwitchField checked={options.shareemus} onChange={(isOn) => set('shareemus', isOn)}>
            {t('rights.shareemus')}
          </SwitchField>
          <SwitchField checked={options.allowemm} onChange={(isOn) => set('allowemm', isOn)}>
            {t('rights.allowemm')}
          </SwitchField>
        </>
      )}
    </div>
  );
}
