import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { type ServerCall, serverCalls, testCall } from '@linekeeper/contract/servers/test-call.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { serverChoicesQuery } from '../../../shared/data/server-choices.ts';
import { PasswordInput } from '../../../shared/forms/fields/password-input.tsx';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../../shared/forms/form.tsx';
import { serverOption } from '../../../shared/forms/pickers/server-option.ts';
import { SubmitButton } from '../../../shared/forms/submit-button.tsx';
import { useCommandForm } from '../../../shared/forms/use-command-form.ts';
import type { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Grid, Row, Stack, Text } from '../../../shared/ui/vocabulary.tsx';
import { serverQuery } from '../queries.ts';
import { useServerProblem } from '../use-server-problem.ts';
import styles from './test-api.module.css';

/** The arguments of each call; the panel reports missing ones. */
const argumentsOf: Record<ServerCall, readonly ('username' | 'password' | 'expiry_date')[]> = {
  health: [],
  auth: [],
  add: ['username', 'password', 'expiry_date'],
  edit: ['username', 'password', 'expiry_date'],
  delete: ['username'],
};

const argument = z.string().max(200, { error: 'TOO_LONG' });

const testCallForm = z.object({
  server_id: z.string({ error: 'REQUIRED' }).min(1, { error: 'REQUIRED' }),
  call: z.enum(serverCalls),
  arguments: z.object({ username: argument, password: argument, expiry_date: argument }),
});
type TestCallValues = z.output<typeof testCallForm>;

/** Omits fields that the chosen call does not use. */
function bodyOf({ server_id, call, arguments: all }: TestCallValues) {
  const given = argumentsOf[call].flatMap((name) => (all[name] ? [[name, all[name]]] : []));
  return { server_id, call, arguments: Object.fromEntries(given) as Partial<typeof all> };
}

interface MadeCall {
  outcome: Reply<typeof testCall>;
  serverId: string;
}

const emptyCall: TestCallValues = {
  server_id: '',
  call: 'health',
  arguments: { username: '', password: '', expiry_date: '' },
};

export function TestApiPage() {
  const { t } = useTranslation('servers');
  const [made, setMade] = useState<MadeCall>();
  const { form, submission } = useCommandForm(testCall, {
    isRepeatable: true,
    schema: testCallForm,
    defaultValues: emptyCall,
    bodyOf,
    done: (outcome, { server_id }) => setMade({ outcome, serverId: server_id }),
    fieldOfCode: { SERVER_NOT_FOUND: 'server_id' },
    // The unsaved guard is off because the form saves nothing.
    isGuarded: false,
  });
  return (
    <>
      <PageHeader />
      <Grid
        columns="minmax(0, 1fr) minmax(0, 1fr)"
        align="start"
        gap={24}
        single="tablet"
        phoneGap={16}
        className={styles.columns}
      >
        <FormCard submission={submission} label={t('call.form')}>
          <CallFields form={form} />
          <FormActions>
            <SubmitButton size="large" pending={submission.isPending}>
              {t('call.send')}
            </SubmitButton>
          </FormActions>
        </FormCard>
        <div role="status">{made && !submission.isPending && <TestCallOutcome made={made} />}</div>
      </Grid>
    </>
  );
}

type CallForm = ReturnType<typeof useContractForm<typeof testCallForm>>;

function CallFields({ form: { control } }: { form: CallForm }) {
  const { t } = useTranslation('servers');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const chosen = useWatch({ control, name: 'call' });
  const named = argumentsOf[chosen];
  const isEdit = chosen === 'edit';
  return (
    <>
      <SelectInput
        control={control}
        name="server_id"
        label={t('call.server')}
        placeholder={t('call.chooseServer')}
        required
        options={servers.map((server) => ({
          ...serverOption(server),
          description: t(`status.${server.status}`),
        }))}
      />
      <SelectInput
        control={control}
        name="call"
        label={t('call.call')}
        required
        options={serverCalls.map((value) => ({ value, label: t(`call.${value}`) }))}
      />
      {named.includes('username') && (
        <TextInput
          control={control}
          name="arguments.username"
          label={t('call.username')}
          hint={t('call.hint')}
          required
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {named.includes('password') && (
        <PasswordInput
          control={control}
          name="arguments.password"
          label={t(isEdit ? 'call.newPassword' : 'call.password')}
          required={!isEdit}
          autoComplete="new-password"
        />
      )}
      {named.includes('expiry_date') && (
        <TextInput
          control={control}
          name="arguments.expiry_date"
          label={t(isEdit ? 'call.newExpiryDate' : 'call.expiry_date')}
          hint={t('call.dateHint')}
          required={!isEdit}
          autoComplete="off"
        />
      )}
    </>
  );
}

type Outcome = MadeCall['outcome'];

function TestCallOutcome({ made: { outcome, serverId } }: { made: MadeCall }) {
  const { t, i18n } = useTranslation('servers');
  const { request, reply, ms, ok, finding } = outcome;
  return (
    <Card title={t('call.outcome')} className={styles.outcome}>
      {ok ? (
        <Banner tone="success" title={t('call.ok')} />
      ) : (
        <Failed finding={finding} serverId={serverId} />
      )}
      {request && (
        <section>
          <Text as="h3" above={16} below={8}>
            {t('call.request')}
          </Text>
          <pre>
            <TypedText>{requestText(request)}</TypedText>
          </pre>
        </section>
      )}
      <section>
        <Text as="h3" above={16} below={8}>
          {t('call.reply')}
        </Text>
        {reply ? (
          <Stack as="dl" gap={8} className={styles.facts}>
            <Fact name={t('call.status')} value={String(reply.status)} />
            <Fact name={t('call.message')} value={reply.message ?? t('call.none')} />
            {reply.version && <Fact name={t('test.version')} value={reply.version} />}
          </Stack>
        ) : (
          <p>{t('call.noReply')}</p>
        )}
        {ms !== null && (
          <Stack as="dl" gap={8} className={styles.facts}>
            <Fact
              name={t('call.took')}
              value={`${formatNumber(ms, i18n.language)} ${t('card.milliseconds')}`}
            />
          </Stack>
        )}
      </section>
    </Card>
  );
}

function Failed({ finding, serverId }: Pick<Outcome, 'finding'> & { serverId: string }) {
  const serverProblem = useServerProblem();
  const { data: server } = useQuery(serverQuery(serverId));
  const { problem, advice } = serverProblem(finding, server?.api_port ?? 0);
  // A finding about a line says nothing about the server's settings.
  const isAboutServer = finding?.data.operation === undefined;
  return (
    <Banner tone="error" title={problem}>
      {server && isAboutServer && <p>{advice}</p>}
    </Banner>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <Row align="stretch" justify="between" wrap gap="0 16">
      <dt>{name}</dt>
      <dd>
        <TypedText>{value}</TypedText>
      </dd>
    </Row>
  );
}

function requestText(request: NonNullable<Outcome['request']>): string {
  const { method, url, headers, body } = request;
  const head = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return body ? `${head.join('\n')}\n\n${JSON.stringify(body, null, 2)}` : head.join('\n');
}
