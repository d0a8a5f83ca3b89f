import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { type AwaitedServer, addAwaitedServer } from '@linekeeper/contract/servers/awaited.ts';
import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
} from '@linekeeper/contract/servers/servers.ts';
import { useNavigate } from '@tanstack/react-router';
import { Activity, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AgentCommand } from '#features/servers/agent/agent-card.tsx';
import { useNewInstallation } from '#features/servers/agent/use-agent-installation.ts';
import { useTestServer } from '#features/servers/use-server-tests.ts';
import { KindChoice } from '#features/servers/webif/kind-choice.tsx';
import { type Command, useCommand } from '#kit/commands/use-command.ts';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { results } from '#platform/state/results.ts';
import { NewcamdFields } from './newcamd-fields.tsx';
import { AddressPreview, FlagField, protocols, schemes, TestResult } from './server-form.tsx';
import {
  awaitedServerForm,
  isByHand,
  type ServerFormOf,
  type ServerValues,
  useServerField,
} from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import { useChosenKind } from './use-chosen-kind.ts';
import { type FormTest, useFormTest } from './use-form-test.ts';
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

interface AddServerFieldsProps {
  form: ServerFormOf;
  test: FormTest;
}

/**
 * The fields that have to be typed for a new server, followed by folded ones that its agent fills
 * in or few servers need.
 */
function AddServerFields({ form, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const field = useServerField(form);
  const isNewcamd = useWatch({ control: form.control, name: 'protocol' }) === 'NewCamd';
  // A NewCamd server needs a port, so a first field is added; an empty one is removed again with the choice.
  useEffect(() => {
    const ports = form.getValues('newcamd_ports');
    if (isNewcamd && ports.length === 0) {
      form.setValue('newcamd_ports', [{ port: Number(form.getValues('port')) + 1, caid: '' }]);
    }
    if (!isNewcamd && ports.every(({ caid }) => caid === '')) form.setValue('newcamd_ports', []);
  }, [form, isNewcamd]);
  return (
    <>
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <TextInput {...field('server_name')} required autoComplete="off" maxLength={200} />
        <SelectInput {...field('protocol')} required options={protocols} />
      </div>
      <div className="grid grid-cols-1 gap-4">
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 phone:grid-cols-1">
          <TextInput
            {...field('public_host')}
            hint={t('form.public_host_hint')}
            required
            isNullable
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput {...field('port')} type="number" required />
        </div>
        <AddressPreview form={form} />
      </div>
      {isNewcamd && <NewcamdFields form={form} />}
      <MoreSettings form={form} test={test} />
    </>
  );
}

const reachNames = ['host_ip', 'api_port', 'api_scheme', 'username', 'password'] as const;
const rareNames = [
  ...reachNames,
  'public_port',
  'des_key',
  'newcamd_ports',
  'max_lines',
  'closed_to_new_lines',
  'repair_automatically',
] as const satisfies (keyof ServerValues)[];

function MoreSettings({ form, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const { errors } = useFormState({ control });
  const [isOpen, setOpen] = useState(false);
  const [kind, protocol] = useWatch({ control, name: ['kind', 'protocol'] });
  const isAgent = kind === 'api';
  const inside = rareNames.filter((name) => isAgent || !reachNames.some((other) => other === name));
  // The fold opens if a field in it has an error.
  const isShown = isOpen || inside.some((name) => errors[name]);
  const field = useServerField(form);
  return (
    <details
      className="[&[open]>summary>svg]:[rotate:90deg]"
      open={isShown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex gap-2 items-center min-h-11 rounded-control type-strong cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        <ChevronRight size={18} aria-hidden="true" />
        {t('awaited.more')}
      </summary>
      <div className="grid grid-cols-1 gap-6 mt-4">
        {isAgent && <ByHand form={form} test={test} />}
        <TextInput
          {...field('public_port')}
          hint={t('form.public_port_hint')}
          type="number"
          isNullable
        />
        {protocol === 'CCcam' && <NewcamdFields form={form} />}
        <TextInput
          {...field('max_lines')}
          type="number"
          isNullable
          hint={t('form.max_lines_hint')}
        />
        <FlagField form={form} name="closed_to_new_lines" />
        <FlagField form={form} name="repair_automatically" hint={t('form.repair_hint')} />
      </div>
    </details>
  );
}

/** The fields for a card server with another API than an agent's. */
function ByHand({ form, test }: AddServerFieldsProps) {
  const { t } = useTranslation('servers');
  const field = useServerField(form);
  return (
    <>
      <p className="text-text-2 type-caption">{t('awaited.byHand')}</p>
      <TextInput {...field('host_ip')} autoComplete="off" spellCheck={false} />
      <TextInput {...field('api_port')} type="number" />
      <SelectInput {...field('api_scheme')} options={schemes} />
      <TextInput {...field('username')} autoComplete="off" spellCheck={false} />
      <PasswordInput {...field('password')} autoComplete="new-password" />
      <div className="grid grid-cols-1 gap-4 justify-items-start [&>div]:w-full">
        <Button icon={<Activity aria-hidden="true" />} pending={test.isPending} onClick={test.run}>
          {t('test.connection')}
        </Button>
        <div role="status">{test.result && <TestResult test={test} />}</div>
      </div>
    </>
  );
}
