import { desKey } from '@linekeeper/contract/fields/receiver-fields.ts';
import { desKeyBytes, newcamdLines } from '@linekeeper/contract/lines/receivers.ts';
import { ChevronDown, Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { enteredAddress, type ServerFormOf, useServerField } from './server-form-schemas.ts';

/**
 * The settings for NewCamd. Servers of both protocols have them, because a server may offer both;
 * they are unfolded if they are likely to be needed.
 */
export function NewcamdFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const protocol = useWatch({ control, name: 'protocol' });
  const { fields, append, remove } = useFieldArray({ control, name: 'newcamd_ports' });
  const addPort = () => {
    const before = form.getValues('newcamd_ports').at(-1)?.port ?? form.getValues('port');
    append({ port: Number(before) + 1, caid: '' });
  };
  return (
    <details
      className="[&[open]_summary_svg]:[rotate:180deg]"
      open={protocol === 'NewCamd' || fields.length > 0}
    >
      <summary className="flex gap-2 items-center w-fit min-h-11 rounded-control type-strong cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        {t('form.newcamd')}
        <ChevronDown size={18} />
      </summary>
      <div className="grid grid-cols-1 gap-6 pt-2">
        <TextInput
          {...useServerField(form)('des_key')}
          hint={t('form.des_key_hint', { usual: desKeyBytes(null) })}
          placeholder={desKeyBytes(null)}
          isNullable
          autoComplete="off"
          spellCheck={false}
        />
        <fieldset className="grid grid-cols-1 gap-4 justify-items-start">
          <legend>{t('field.newcamd_ports')}</legend>
          {protocol === 'NewCamd' && fields.length === 0 && (
            <p className="text-text-2 type-caption">{t('form.newcamd_ports_missing')}</p>
          )}
          {fields.map(({ id }, index) => (
            <PortRow key={id} form={form} index={index} onRemove={() => remove(index)} />
          ))}
          <Button size="small" icon={<Plus />} onClick={addPort}>
            {t('form.addPort')}
          </Button>
        </fieldset>
        <NLinePreview form={form} />
      </div>
    </details>
  );
}

interface PortRowProps {
  form: ServerFormOf;
  index: number;
  onRemove: () => void;
}

function PortRow({ form: { control }, index, onRemove }: PortRowProps) {
  const { t } = useTranslation('servers');
  const port = useWatch({ control, name: `newcamd_ports.${index}.port` });
  const typed = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <div className="grid grid-cols-[repeat(3,minmax(0,1fr))_auto] gap-y-2 gap-x-4 items-start w-full [&>button]:mt-8 phone:grid-cols-2 phone:pb-4 phone:border-b phone:border-b-divider phone:[&>button]:justify-self-end">
      <TextInput
        {...typed}
        control={control}
        name={`newcamd_ports.${index}.port`}
        label={t('field.port')}
        type="number"
        required
      />
      <TextInput
        {...typed}
        control={control}
        name={`newcamd_ports.${index}.caid`}
        label="CAID"
        placeholder="0500"
        required
      />
      <TextInput
        {...typed}
        control={control}
        name={`newcamd_ports.${index}.provid`}
        label={t('form.provid')}
      />
      <IconButton label={t('removeOf', { name: `${t('field.port')} ${port}` })} onClick={onRemove}>
        <Trash2 size={20} />
      </IconButton>
    </div>
  );
}

const SHOWN_LINES = 3;

/** The first N lines with the typed values, as soon as these are complete. */
function NLinePreview({ form: { control } }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const [host_ip, port, public_host, public_port, des_key, ports] = useWatch({
    control,
    name: ['host_ip', 'port', 'public_host', 'public_port', 'des_key', 'newcamd_ports'],
  });
  const { host } = enteredAddress({ host_ip, port, public_host, public_port });
  const typed = desKey.nullable().safeParse(des_key);
  const written = ports.filter((one) => Number.isInteger(one.port));
  if (!typed.success || written.length === 0 || host === '') return null;
  const login = { username: 'username', password: 'password' };
  const server = { des_key: typed.data, newcamd_ports: written.slice(0, SHOWN_LINES) };
  const left = written.length - SHOWN_LINES;
  return (
    <div className="grid grid-cols-1 gap-2 [&>ul]:py-3 [&>ul]:px-4 [&>ul]:rounded-control [&>ul]:bg-head [&_code]:type-[400_13px/20px_var(--mono)]">
      <p className="type-strong">{t('form.customer_gets')}</p>
      <ul className="grid grid-cols-1 gap-1 min-w-0 wrap-anywhere">
        {newcamdLines(server, host, login).map(({ port: key, line }) => (
          <li key={key}>
            <code>{line}</code>
          </li>
        ))}
        {left > 0 && <li>{t('more', { count: left })}</li>}
      </ul>
    </div>
  );
}
