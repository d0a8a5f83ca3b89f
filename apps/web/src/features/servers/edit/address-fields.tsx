import { cccamLine, LOGIN_WORDS } from '@linekeeper/contract/lines/receivers.ts';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { CustomerLine } from '../../../shared/lines/address-change.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { AddressWarningText } from '../address-warning.tsx';
import styles from './server-form.module.css';
import { enteredAddress, type ServerFormOf } from './server-form-schemas.ts';

/** What customers enter, with what that makes of their C line at each key press. */
export function AddressFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const [host_ip, port, public_host, public_port, protocol] = useWatch({
    control,
    name: ['host_ip', 'port', 'public_host', 'public_port', 'protocol'],
  });
  const { host, port: customerPort } = enteredAddress({ host_ip, port, public_host, public_port });
  return (
    <Stack gap={16}>
      <div className={styles.addressRow}>
        <TextInput
          control={control}
          name="public_host"
          label={t('form.public_host')}
          hint={t('form.public_host_hint')}
          placeholder={host_ip}
          isNullable
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          control={control}
          name="public_port"
          label={t('form.public_port')}
          hint={t('form.public_port_hint')}
          placeholder={String(port)}
          type="number"
          isNullable
        />
      </div>
      <div role="status">
        <AddressWarningText host={host} />
      </div>
      {protocol === 'CCcam' && host !== '' && (
        <div className={styles.preview}>
          <p>{t('form.customer_gets')}</p>
          <p>
            <CustomerLine
              line={cccamLine({ host, port: String(customerPort) }, LOGIN_WORDS)}
              other="C:"
            />
          </p>
        </div>
      )}
    </Stack>
  );
}
