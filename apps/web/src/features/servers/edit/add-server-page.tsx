import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
} from '@linekeeper/contract/servers/servers.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { toast } from '../../../shared/state/toast.ts';
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
  const navigate = useNavigate();
  const form = useContractForm({ schema: addServerForm, defaultValues: emptyServer });
  const test = useFormTest(form);
  const testCreated = useTestServer();
  const submission = useSubmit({
    form,
    command: useCommand(createServer, { refreshes: ['servers'] }),
    done: ({ server }) => {
      toast.success(t('form.added', { name: server.server_name }));
      // New servers are inactive until a connection test succeeds.
      void testCreated.send(server);
      return navigate({ to: '/cccam-servers/manage' });
    },
    fieldOfCode: { INVALID_HOST: 'host_ip' },
  });
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
