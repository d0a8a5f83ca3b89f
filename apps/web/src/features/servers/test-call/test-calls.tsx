import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { type ServerCall, serverCalls, testCall } from '@linekeeper/contract/servers/test-call.ts';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '#kit/forms/form.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import type { useContractForm } from '#kit/forms/use-contract-form.ts';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';

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
  call: z.enum(serverCalls),
  arguments: z.object({ username: argument, password: argument, expiry_date: argument }),
});
type TestCallValues = z.output<typeof testCallForm>;

/** Omits fields that the chosen call does not use. */
function givenOf({ call, arguments: all }: TestCallValues) {
  const given = argumentsOf[call].flatMap((name) => (all[name] ? [[name, all[name]]] : []));
  return { call, arguments: Object.fromEntries(given) as Partial<typeof all> };
}

type Outcome = Reply<typeof testCall>;

const emptyCall: TestCallValues = {
  call: 'health',
  arguments: { username: '', password: '', expiry_date: '' },
};

/** Single calls to the server, each with its request and response. */
export function TestCalls({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const [outcome, setOutcome] = useState<Outcome>();
  const { form, submission } = useCommandForm(testCall, {
    isRepeatable: true,
    schema: testCallForm,
    defaultValues: emptyCall,
    bodyOf: (values) => ({ server_id: server.id, ...givenOf(values) }),
    done: setOutcome,
    // The guard for unsaved input is off, because the form saves nothing.
    isGuarded: false,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-start gap-6 mt-4 tablet:grid-cols-1 phone:gap-4">
      <FormCard submission={submission} label={t('call.form')}>
        <CallFields form={form} />
        <FormActions>
          <SubmitButton size="large" pending={submission.isPending}>
            {t('call.send')}
          </SubmitButton>
        </FormActions>
      </FormCard>
      <div role="status">
        {outcome && !submission.isPending && <CallOutcome outcome={outcome} server={server} />}
      </div>
    </div>
  );
}

type CallForm = ReturnType<typeof useContractForm<typeof testCallForm>>;

function CallFields({ form: { control } }: { form: CallForm }) {
  const { t } = useTranslation('servers');
  const chosen = useWatch({ control, name: 'call' });
  const named = argumentsOf[chosen];
  const isEdit = chosen === 'edit';
  return (
    <>
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
          label={t('field.username')}
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
          label={t(isEdit ? 'field.newPassword' : 'field.password')}
          required={!isEdit}
          autoComplete="new-password"
        />
      )}
      {named.includes('expiry_date') && (
        <TextInput
          control={control}
          name="arguments.expiry_date"
          label={t(isEdit ? 'call.newExpiryDate' : 'call.expiry_date')}
          hint={t('dayForm')}
          required={!isEdit}
          autoComplete="off"
        />
      )}
    </>
  );
}

function CallOutcome({ outcome, server }: { outcome: Outcome; server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { request, reply, ms, ok, finding } = outcome;
  return (
    <Card
      title={t('field.result')}
      className="[&_pre]:py-3 [&_pre]:px-4 [&_pre]:rounded-control [&_pre]:bg-head [&_pre]:type-[400_13px/20px_var(--mono)] [&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap"
    >
      {ok ? (
        <Banner tone="success" title={t('call.ok')} />
      ) : (
        <Failed finding={finding} server={server} />
      )}
      {request && (
        <section>
          <h3 className="mt-4 mb-2">{t('call.request')}</h3>
          <pre>
            <TypedText>{requestText(request)}</TypedText>
          </pre>
        </section>
      )}
      <section>
        <h3 className="mt-4 mb-2">{t('field.reply')}</h3>
        {reply ? (
          <dl className="grid grid-cols-1 gap-2 [&+&]:mt-2 [&_dd]:font-medium [&_dd]:wrap-anywhere">
            <Fact name={t('call.status')} value={String(reply.status)} />
            <Fact name={t('field.message')} value={reply.message ?? t('compare.has.none')} />
            {reply.version && <Fact name={t('test.version')} value={reply.version} />}
          </dl>
        ) : (
          <p>{t('call.noReply')}</p>
        )}
        {ms !== null && (
          <dl className="grid grid-cols-1 gap-2 [&+&]:mt-2 [&_dd]:font-medium [&_dd]:wrap-anywhere">
            <Fact
              name={t('field.duration')}
              value={`${formatNumber(ms, i18n.language)} ${t('card.milliseconds')}`}
            />
          </dl>
        )}
      </section>
    </Card>
  );
}

function Failed({ finding, server }: Pick<Outcome, 'finding'> & { server: Server }) {
  const serverProblem = useServerProblem();
  const { problem, advice } = serverProblem(finding, server);
  // A finding about a line proves nothing about the server's settings.
  const isAboutServer = finding?.data.operation === undefined;
  return (
    <Banner tone="error" title={problem}>
      {isAboutServer && advice && <p>{advice}</p>}
    </Banner>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap items-stretch justify-between gap-y-0 gap-x-4">
      <dt>{name}</dt>
      <dd>
        <TypedText>{value}</TypedText>
      </dd>
    </div>
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
