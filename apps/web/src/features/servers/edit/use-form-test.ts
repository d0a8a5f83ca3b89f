import {
  type Server,
  type ServerTest,
  testServer,
  testServerConfiguration,
} from '@linekeeper/contract/servers/servers.ts';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../../shared/forms/use-send.ts';
import { useFormSend } from '../../../shared/forms/use-submit.ts';
import { useRefreshServers } from '../queries.ts';
import type { ServerFormOf, ServerValues } from './server-form-schemas.ts';

export interface FormTest {
  run: () => void;
  isPending: boolean;
  /** Reset as soon as one of the tested values is changed in the form. */
  result: ServerTest | undefined;
  apiPort: number;
}

/** Fields of the form that are part of the connection. */
const configurationFields = [
  'host_ip',
  'port',
  'api_port',
  'api_scheme',
  'username',
  'password',
  'protocol',
] as const;
type Configuration = Pick<ServerValues, (typeof configurationFields)[number]>;

function configurationOf(values: ServerValues): Configuration {
  const { host_ip, port, api_port, api_scheme, username, password, protocol } = values;
  return { host_ip, port, api_port, api_scheme, username, password, protocol };
}

function isConnectionOf(stored: Server, configuration: Configuration): boolean {
  const fields = ['host_ip', 'api_port', 'api_scheme', 'username'] as const;
  return fields.every((name) => configuration[name] === stored[name]);
}

/**
 * Tests the form's values without saving. The stored password cannot be read, so while the password
 * field of a `stored` server is empty, only its unchanged stored connection can be tested.
 */
export function useFormTest(form: ServerFormOf, stored?: Server): FormTest {
  const { t } = useTranslation('servers');
  const values = useWatch({ control: form.control }) as ServerValues;
  const refresh = useRefreshServers();
  const [tested, setTested] = useState<{ configuration: string; result: ServerTest }>();
  const test = useFormSend({
    form,
    send: ({ body }: WithIdempotencyKey<Configuration>) =>
      stored && body.password === ''
        ? call(testServer, { params: { id: stored.id } })
        : call(testServerConfiguration, { body }),
    onSuccess: (result, configuration) => {
      setTested({ result, configuration: JSON.stringify(configuration) });
      void refresh();
    },
    fieldOfCode: { INVALID_HOST: 'host_ip' },
  });
  const run = () => {
    const configuration = configurationOf(form.getValues());
    // Errors of an earlier test may be fixed by now.
    form.clearErrors([...configurationFields]);
    if (stored && configuration.password === '' && !isConnectionOf(stored, configuration)) {
      const message = t('form.password_for_test');
      form.setError('password', { type: 'manual', message }, { shouldFocus: true });
    } else {
      void test.send(configuration);
    }
  };
  const isCurrent = tested?.configuration === JSON.stringify(configurationOf(values));
  return {
    run,
    isPending: test.isPending,
    result: isCurrent && !test.isPending ? tested?.result : undefined,
    apiPort: values.api_port,
  };
}
