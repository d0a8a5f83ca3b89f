import {
  type Server,
  type ServerKind,
  type ServerTest,
  testServer,
  testServerConfiguration,
} from '@linekeeper/contract/servers/servers.ts';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { sendFromForm } from '#kit/forms/use-submit.ts';
import type { ServerFormOf, ServerValues } from './server-form-schemas.ts';

export interface FormTest {
  run: () => void;
  isPending: boolean;
  /** The result of the test; reset when a tested value is changed in the form. */
  result: ServerTest | undefined;
  asked: { kind: ServerKind; api_port: number };
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
  'kind',
  'tls_fingerprint',
  'plain_http_allowed',
] as const;
type Configuration = Pick<ServerValues, (typeof configurationFields)[number]>;

const configurationOf = (values: ServerValues) =>
  Object.fromEntries(configurationFields.map((name) => [name, values[name]])) as Configuration;

function isConnectionOf(stored: Server, configuration: Configuration): boolean {
  const fields = [
    ...(['host_ip', 'api_port', 'api_scheme', 'username'] as const),
    ...(['kind', 'tls_fingerprint', 'plain_http_allowed'] as const),
  ];
  return fields.every((name) => configuration[name] === stored[name]);
}

/**
 * Tests the form's values without saving. The stored password cannot be read, so while the password
 * field of a `stored` server is empty, only its unchanged stored connection can be tested.
 */
export function useFormTest(form: ServerFormOf, stored?: Server): FormTest {
  const { t } = useTranslation('servers');
  const values = useWatch({ control: form.control }) as ServerValues;
  const [tested, setTested] = useState<{ configuration: string; result: ServerTest }>();
  const ofTest = { refreshes: ['servers'], isRepeatable: true } as const;
  const testStored = useCommand(testServer, {
    ...ofTest,
    input: (_: Configuration) => ({ params: { id: stored?.id ?? '' } }),
  });
  const testTyped = useCommand(testServerConfiguration, ofTest);
  const isPending = testStored.isPending || testTyped.isPending;
  const run = () => {
    const configuration = configurationOf(form.getValues());
    // The errors of an earlier test may have been fixed.
    form.clearErrors([...configurationFields]);
    if (stored && configuration.password === '' && !isConnectionOf(stored, configuration)) {
      const message = t('form.password_for_test');
      form.setError('password', { type: 'manual', message }, { shouldFocus: true });
      return;
    }
    const command = stored && configuration.password === '' ? testStored : testTyped;
    const done = (result: ServerTest) =>
      setTested({ result, configuration: JSON.stringify(configuration) });
    void sendFromForm(
      { form, command, done, fieldOfCode: { INVALID_HOST: 'host_ip' } },
      configuration,
    );
  };
  const isCurrent = tested?.configuration === JSON.stringify(configurationOf(values));
  return {
    run,
    isPending,
    result: isCurrent && !isPending ? tested?.result : undefined,
    asked: { kind: values.kind, api_port: values.api_port },
  };
}
