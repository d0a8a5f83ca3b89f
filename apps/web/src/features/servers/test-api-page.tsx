import { serverCalls, testCall } from '@linekeeper/contract/test-call.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { paths } from '../../shared/paths.ts';
import { Card } from '../../shared/ui/card.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { serverChoicesQuery } from './queries.ts';
import formStyles from './server-form.module.css';
import { statusTones } from './status-tones.ts';
import styles from './test-api.module.css';
import {
  argumentsOf,
  bodyOf,
  type MadeCall,
  type TestCallValues,
  testCallForm,
} from './test-call-form.ts';
import { TestCallOutcome } from './test-call-outcome.tsx';

const emptyCall: TestCallValues = {
  server_id: '',
  call: 'health',
  arguments: { username: '', password: '', expiry_date: '' },
};

/** One call to a card server, as typed: what is sent and what comes back. */
export function TestApiPage() {
  const { t } = useTranslation('servers');
  const form = useContractForm({ schema: testCallForm, defaultValues: emptyCall });
  const make = useMutation({
    mutationFn: async (values: TestCallValues): Promise<MadeCall> => ({
      outcome: await call(testCall, { body: bodyOf(values) }),
      serverId: values.server_id,
    }),
    gcTime: 0,
  });
  const submit = form.handleSubmit(async (values) => {
    try {
      await make.mutateAsync(values);
    } catch (error) {
      applyServerErrors(form, error, { SERVER_NOT_FOUND: 'server_id' });
    }
  });
  return (
    <>
      <PageHeader title={t('call.title')} back={{ to: paths.servers(), label: t('title') }} />
      <div className={styles.columns}>
        <Card>
          <form
            className={formStyles.form}
            aria-label={t('call.form')}
            noValidate
            onSubmit={submit}
          >
            <FormErrorSummary form={form} />
            <CallFields form={form} />
            <div className={formStyles.actions}>
              <SubmitButton size="large" pending={form.formState.isSubmitting}>
                {t('call.send')}
              </SubmitButton>
            </div>
          </form>
        </Card>
        <div role="status">{make.data && <TestCallOutcome made={make.data} />}</div>
      </div>
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
        options={servers.map(({ id, server_name, status }) => ({
          value: id,
          label: server_name,
          tone: statusTones[status],
          description: t(`status.${status}`),
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
