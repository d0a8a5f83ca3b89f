import { Activity, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { NewcamdFields } from './newcamd-fields.tsx';
import { AddressPreview, FlagField, protocols, schemes, TestResult } from './server-form.tsx';
import { fieldTexts, type ServerFormOf, type ServerValues } from './server-form-schemas.ts';
import type { FormTest } from './use-form-test.ts';

interface AddServerFieldsProps {
  form: ServerFormOf;
  test: FormTest;
}

/**
 * The fields that have to be typed for a new server, followed by folded ones that its agent fills
 * in or few servers need.
 */
export function AddServerFields({ form, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const isNewcamd = useWatch({ control, name: 'protocol' }) === 'NewCamd';
  // A NewCamd server needs a port, so a first field is added; an empty one is removed again with the choice.
  useEffect(() => {
    const ports = form.getValues('newcamd_ports');
    if (isNewcamd && ports.length === 0) {
      form.setValue('newcamd_ports', [{ port: Number(form.getValues('port')) + 1, caid: '' }]);
    }
    if (!isNewcamd && ports.every(({ caid }) => caid === '')) form.setValue('newcamd_ports', []);
  }, [form, isNewcamd]);
  return (
    <>
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <TextInput
          control={control}
          name="server_name"
          label={t('form.server_name')}
          required
          autoComplete="off"
          maxLength={200}
        />
        <SelectInput
          control={control}
          name="protocol"
          label={t('field.protocol')}
          required
          options={protocols}
        />
      </div>
      <div className="grid grid-cols-1 gap-4">
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 phone:grid-cols-1">
          <TextInput
            control={control}
            name="public_host"
            label={t('field.public_host')}
            hint={t('form.public_host_hint')}
            required
            isNullable
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput control={control} name="port" label={t('form.port')} type="number" required />
        </div>
        <AddressPreview form={form} />
      </div>
      {isNewcamd && <NewcamdFields form={form} />}
      <MoreSettings form={form} test={test} />
    </>
  );
}

const reachNames = ['host_ip', 'api_port', 'api_scheme', 'username', 'password'] as const;
const rareNames = [
  ...reachNames,
  'public_port',
  'des_key',
  'newcamd_ports',
  'max_lines',
  'closed_to_new_lines',
  'repair_automatically',
] as const satisfies (keyof ServerValues)[];

function MoreSettings({ form, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const { errors } = useFormState({ control });
  const [isOpen, setOpen] = useState(false);
  const [kind, protocol] = useWatch({ control, name: ['kind', 'protocol'] });
  const isAgent = kind === 'api';
  const inside = rareNames.filter((name) => isAgent || !reachNames.some((other) => other === name));
  // The fold opens if a field in it has an error.
  const isShown = isOpen || inside.some((name) => errors[name]);
  const field = (name: (typeof rareNames)[number]) => ({
    control,
    name,
    label: t(fieldTexts[name]),
  });
  return (
    <details
      className="[&[open]>summary>svg]:[rotate:90deg]"
      open={isShown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex gap-2 items-center min-h-11 rounded-control type-strong cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        <ChevronRight size={18} aria-hidden="true" />
        {t('awaited.more')}
      </summary>
      <div className="grid grid-cols-1 gap-6 mt-4">
        {isAgent && <ByHand form={form} test={test} />}
        <TextInput
          {...field('public_port')}
          hint={t('form.public_port_hint')}
          type="number"
          isNullable
        />
        {protocol === 'CCcam' && <NewcamdFields form={form} />}
        <TextInput
          {...field('max_lines')}
          type="number"
          isNullable
          hint={t('form.max_lines_hint')}
        />
        <FlagField form={form} name="closed_to_new_lines" />
        <FlagField form={form} name="repair_automatically" hint={t('form.repair_hint')} />
      </div>
    </details>
  );
}

/** The fields for a card server with another API than an agent's. */
function ByHand({ form: { control }, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const field = (name: (typeof reachNames)[number]) => ({
    control,
    name,
    label: t(fieldTexts[name]),
  });
  return (
    <>
      <p className="text-text-2 type-caption">{t('awaited.byHand')}</p>
      <TextInput {...field('host_ip')} autoComplete="off" spellCheck={false} />
      <TextInput {...field('api_port')} type="number" />
      <SelectInput {...field('api_scheme')} options={schemes} />
      <TextInput {...field('username')} autoComplete="off" spellCheck={false} />
      <PasswordInput {...field('password')} autoComplete="new-password" />
      <div className="grid grid-cols-1 gap-4 justify-items-start [&>div]:w-full">
        <Button icon={<Activity aria-hidden="true" />} pending={test.isPending} onClick={test.run}>
          {t('test.connection')}
        </Button>
        <div role="status">{test.result && <TestResult test={test} />}</div>
      </div>
    </>
  );
}
