import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { type AwaitedServer, addAwaitedServer } from '@linekeeper/contract/servers/awaited.ts';
import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
} from '@linekeeper/contract/servers/servers.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AgentCommand } from '#features/servers/agent/agent-card.tsx';
import { useNewInstallation } from '#features/servers/agent/use-agent-installation.ts';
import { useTestServer } from '#features/servers/use-server-tests.ts';
import { KindChoice } from '#features/servers/webif/kind-choice.tsx';
import { type Command, useCommand } from '#kit/commands/use-command.ts';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { results } from '#platform/state/results.ts';
import { AddServerFields } from './add-server-fields.tsx';
import {
  awaitedServerForm,
  isByHand,
  type ServerFormOf,
  type ServerValues,
} from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import { useChosenKind } from './use-chosen-kind.ts';
import { useFormTest } from './use-form-test.ts';
import { WebifFields } from './webif-fields.tsx';

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
  kind: 'api',
  tls_fingerprint: null,
  plain_http_allowed: false,
};

/** Fills the empty fields with the facts of the agent's call. */
function useFilledByCall(form: ServerFormOf, called: AwaitedServer['called'] | undefined) {
  useEffect(() => {
    if (!called?.is_confirmed) return;
    const { dirtyFields } = form.formState;
    if (!dirtyFields.public_host) form.setValue('public_host', called.host);
    if (!dirtyFields.protocol) form.setValue('protocol', called.protocol);
    if (!dirtyFields.port && called.port) form.setValue('port', called.port);
    if (!dirtyFields.api_port) form.setValue('api_port', called.api_port);
  }, [form, called]);
}

type Added = Reply<typeof createServer>;

/**
 * The command that adds the server of an agent, or, if name and password of another API were typed,
 * a server without an agent.
 */
function useAddServer(awaitedId: string | undefined): Command<ServerValues, Added> {
  const refreshes = ['servers'] as const;
  const byHand = useCommand(createServer, {
    refreshes,
    input: (body: ServerValues) => ({ body }),
  });
  const byAgent = useCommand(addAwaitedServer, {
    refreshes,
    input: ({ username: _, password: __, ...values }: ServerValues) => ({
      params: { id: awaitedId ?? '' },
      body: {
        ...values,
        public_host: values.public_host ?? '',
        host_ip: values.host_ip || undefined,
      },
    }),
  });
  return {
    ...byHand,
    isPending: byHand.isPending || byAgent.isPending,
    isDone: byHand.isDone || byAgent.isDone,
    send: (values, options) =>
      isByHand(values) || awaitedId === undefined
        ? byHand.send(values, options)
        : byAgent.send(values, options),
  };
}

export function AddServerPage() {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const installation = useNewInstallation();
  const { awaited } = installation;
  const testCreated = useTestServer();
  const form = useContractForm({
    schema: awaitedServerForm,
    defaultValues: emptyServer,
  }) as ServerFormOf;
  const test = useFormTest(form);
  const { kind, choose } = useChosenKind(form, { isNew: true });
  const isWebif = kind === 'oscam_webif';
  useFilledByCall(form, awaited?.called);
  const submission = useSubmit({
    form,
    command: useAddServer(awaited?.id),
    fieldOfCode: { INVALID_HOST: 'host_ip' },
    done: async ({ server }) => {
      const { id, server_name: name } = server;
      const isAwaited = server.awaited_id && !awaited?.called?.is_confirmed;
      // New servers are inactive until a connection test succeeds.
      if (!isAwaited) void testCreated.send(server);
      results.success(t(isAwaited ? 'awaited.added' : 'form.added', { name }));
      return navigate({ to: '/cccam-servers/$id', params: { id } });
    },
  });
  const isReady = isWebif ? test.result?.status === 'active' : awaited?.called?.is_confirmed;
  return (
    <>
      <PageHeader />
      <Form submission={submission} label={t('nav.addServer')}>
        <Card title={t('form.kind')} className="form-width">
          <div className="grid grid-cols-1 gap-4">
            <KindChoice value={kind} onChange={choose} />
            {isWebif ? (
              <WebifFields form={form} test={test} />
            ) : (
              <AgentCommand installation={installation} />
            )}
          </div>
        </Card>
        <Card title={t('awaited.server')} className="form-width">
          <div className="grid grid-cols-1 gap-6">
            <ServerFormSummary form={form} />
            <AddServerFields form={form} test={test} />
          </div>
        </Card>
        <FormActions>
          <SubmitButton pending={submission.isPending}>{t('nav.addServer')}</SubmitButton>
          <ButtonLink to="/cccam-servers/manage">{t('action.cancel')}</ButtonLink>
          {!isReady && <p className="text-text-2 type-caption">{t('awaited.canAddNow')}</p>}
        </FormActions>
      </Form>
    </>
  );
}
