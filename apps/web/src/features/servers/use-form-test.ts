import {
  type Server,
  type ServerTest,
  testServer,
  testServerConfiguration,
} from '@linekeeper/contract/servers.ts';
import { useMutation } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { useRefreshServers } from './queries.ts';
import type { ServerFormOf, ServerValues } from './server-form-schemas.ts';

export interface FormTest {
  run: () => void;
  isPending: boolean;
  /** Gone as soon as what was tested is changed in the form. */
  result: ServerTest | undefined;
  apiPort: number;
}

type Configuration = Omit<ServerValues, 'server_name'>;

function configurationOf({ server_name: _, ...configuration }: ServerValues): Configuration {
  return configuration;
}

function isConnectionOf(stored: Server, configuration: Configuration): boolean {
  const fields = ['host_ip', 'api_port', 'api_scheme', 'username'] as const;
  return fields.every((name) => configuration[name] === stored[name]);
}

/**
 * Tests what stands in the form without saving it. The password of a `stored` server cannot be
 * read: while none is typed, only the connection as it is stored can be tested.
 */
export function useFormTest(form: ServerFormOf, stored?: Server): FormTest {
  const { t } = useTranslation('servers');
  const values = useWatch({ control: form.control }) as ServerValues;
  const refresh = useRefreshServers();
  const test = useMutation({
    mutationFn: (body: Configuration) =>
      stored && body.password === ''
        ? call(testServer, { params: { id: stored.id } })
        : call(testServerConfiguration, { body }),
    onSuccess: () => void refresh(),
    gcTime: 0,
    onError: (error) => applyServerErrors(form, error, { INVALID_HOST: 'host_ip' }),
  });
  const run = () => {
    const configuration = configurationOf(form.getValues());
    // What an earlier test complained about may be mended by now.
    form.clearErrors(Object.keys(configuration) as (keyof Configuration)[]);
    if (stored && configuration.password === '' && !isConnectionOf(stored, configuration)) {
      const message = t('form.password_for_test');
      form.setError('password', { type: 'manual', message }, { shouldFocus: true });
    } else {
      test.mutate(configuration);
    }
  };
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(configurationOf(values));
  return {
    run,
    isPending: test.isPending,
    result: isCurrent ? test.data : undefined,
    apiPort: values.api_port,
  };
}
