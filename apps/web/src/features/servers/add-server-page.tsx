import {
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
  type Server,
} from '@linekeeper/contract/servers.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { paths } from '../../shared/paths.ts';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useCreateServer } from './queries.ts';
import { ServerForm } from './server-form.tsx';
import { addServerForm } from './server-form-schemas.ts';
import { useFormTest } from './use-form-test.ts';
import { useTestServer } from './use-server-tests.ts';

const emptyServer = {
  server_name: '',
  host_ip: '',
  port: DEFAULT_SERVER_PORT,
  api_port: DEFAULT_API_PORT,
  api_scheme: 'http',
  username: '',
  password: '',
  protocol: 'CCcam',
} as const;

export function AddServerPage() {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const form = useContractForm({ schema: addServerForm, defaultValues: emptyServer });
  const test = useFormTest(form);
  const letLeave = useUnsavedGuard(form.formState.isDirty);
  const keyOf = useIdempotencyKey();
  const create = useCreateServer();
  const testCreated = useTestServer();

  const showCreated = (server: Server) => {
    letLeave();
    toast.success(t('form.added', { name: server.server_name }));
    // A new server is inactive until a test succeeds.
    testCreated.mutate(server);
    return navigate({ to: paths.servers() });
  };
  const save = form.handleSubmit(async (body) => {
    try {
      const { server } = await create.mutateAsync({ body, idempotencyKey: keyOf(body) });
      await showCreated(server);
    } catch (error) {
      applyServerErrors(form, error, { INVALID_HOST: 'host_ip' });
    }
  });
  return (
    <>
      <PageHeader title={t('addServer')} back={{ to: paths.servers(), label: t('title') }} />
      <ServerForm
        form={form}
        title={t('addServer')}
        submitLabel={t('addServer')}
        test={test}
        onSubmit={save}
      />
    </>
  );
}
