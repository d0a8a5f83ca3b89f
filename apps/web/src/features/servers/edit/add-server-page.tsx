import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
} from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { useCommandForm } from '../../../shared/forms/use-command-form.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { useTestServer } from '../use-server-tests.ts';
import { ServerForm } from './server-form.tsx';
import { addServerForm, type ServerValues } from './server-form-schemas.ts';
import { useFormTest } from './use-form-test.ts';

const emptyServer: ServerValues = {
  server_name: '',
  host_ip: '',
  port: DEFAULT_SERVER_PORT,
  api_port: DEFAULT_API_PORT,
  api_scheme: 'http',
  username: '',
  password: '',
  protocol: 'CCcam',
  repair_automatically: false,
  closed_to_new_lines: false,
  max_lines: null,
  public_host: null,
  public_port: null,
  des_key: null,
  newcamd_ports: [],
};

export function AddServerPage() {
  const { t } = useTranslation('servers');
  const testCreated = useTestServer();
  const { form, submission } = useCommandForm(createServer, {
    schema: addServerForm,
    refreshes: ['servers'],
    defaultValues: emptyServer,
    done: ({ server }) => {
      // New servers are inactive until a connection test succeeds.
      void testCreated.send(server);
    },
    doneText: ({ server }) => t('form.added', { name: server.server_name }),
    leadsTo: '/cccam-servers/manage',
    fieldOfCode: { INVALID_HOST: 'host_ip' },
  });
  const test = useFormTest(form);
  return (
    <>
      <PageHeader />
      <ServerForm
        form={form}
        submission={submission}
        label={t('addServer')}
        submitLabel={t('addServer')}
        test={test}
      />
    </>
  );
}
