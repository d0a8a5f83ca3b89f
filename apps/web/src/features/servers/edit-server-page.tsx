import type { Server } from '@linekeeper/contract/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { paths } from '../../shared/paths.ts';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { serverQuery, useEditServer } from './queries.ts';
import { ServerForm } from './server-form.tsx';
import { editServerForm, type ServerValues } from './server-form-schemas.ts';
import { ServerFormSkeleton } from './server-skeletons.tsx';
import { useFormTest } from './use-form-test.ts';
import { useTestServer } from './use-server-tests.ts';

export function EditServerPage() {
  const { t } = useTranslation('servers');
  return (
    <>
      <PageHeader title={t('editServer')} back={{ to: paths.servers(), label: t('title') }} />
      <LoadedServer />
    </>
  );
}

function LoadedServer() {
  const { id = '' } = useParams({ strict: false });
  const server = useQuery(serverQuery(id));
  if (server.data) return <EditServerForm key={id} server={server.data} />;
  if (server.isPending) return <ServerFormSkeleton />;
  return (
    <Card>
      <FailedPanel error={server.error} onRetry={() => server.refetch()} />
    </Card>
  );
}

function storedValues(server: Server): ServerValues {
  const { server_name, host_ip, port, api_port, api_scheme, username, protocol } = server;
  return { server_name, host_ip, port, api_port, api_scheme, username, password: '', protocol };
}

const connectionFields = ['host_ip', 'api_port', 'api_scheme', 'username', 'password'];

function EditServerForm({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const form = useContractForm({ schema: editServerForm, defaultValues: storedValues(server) });
  const { isDirty, dirtyFields } = form.formState;
  const test = useFormTest(form, server);
  const letLeave = useUnsavedGuard(isDirty);
  const keyOf = useIdempotencyKey();
  const edit = useEditServer(server.id);
  const testEdited = useTestServer();

  const save = form.handleSubmit(async (values) => {
    // Only what was changed here: somebody else may have changed the rest meanwhile.
    const body = Object.fromEntries(
      Object.entries(values).filter(([name]) => dirtyFields[name as keyof ServerValues]),
    );
    try {
      const edited = await edit.mutateAsync({ body, idempotencyKey: keyOf(body) });
      letLeave();
      toast.success(t('form.saved', { name: values.server_name }));
      // The stored status tells how the connection was before.
      if (connectionFields.some((name) => name in body)) testEdited.mutate(edited.server);
      await navigate({ to: paths.servers() });
    } catch (error) {
      applyServerErrors(form, error, { INVALID_HOST: 'host_ip' });
    }
  });
  return (
    <ServerForm
      isEdit
      form={form}
      title={t('editServer')}
      submitLabel={t('form.save')}
      test={test}
      onSubmit={save}
    />
  );
}
