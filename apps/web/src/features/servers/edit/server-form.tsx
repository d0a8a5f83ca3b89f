import { cccamLine, LOGIN_WORDS } from '@linekeeper/contract/lines/receivers.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Activity, CircleCheck, CircleX } from 'lucide-react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CustomerLine } from '#domain/lines/address-change.tsx';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '#kit/forms/form.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Grid, Row, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { KindField } from './kind-field.tsx';
import { NewcamdFields } from './newcamd-fields.tsx';
import styles from './server-form.module.css';
import { enteredAddress, type ServerFormOf, type ServerValues } from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import type { FormTest } from './use-form-test.ts';
import { WebifFields } from './webif-fields.tsx';

export const schemes = ['http', 'https'].map((value) => ({ value, label: value }));
export const protocols = serverProtocols.map((value) => ({ value, label: value }));

interface ServerFormProps {
  form: ServerFormOf;
  submission: Submission;
  test: FormTest;
  server: Server;
}

/** All settings of a stored server. */
export function ServerForm({ form, submission, test, server }: ServerFormProps) {
  const { t } = useTranslation('servers');
  const isWebif = useWatch({ control: form.control, name: 'kind' }) === 'oscam_webif';
  return (
    <FormCard
      submission={submission}
      label={t('editServer')}
      problems={<ServerFormSummary form={form} />}
    >
      <ServerFields form={form} test={test} server={server} />
      <div className={styles.end}>
        <div role="status">{!isWebif && test.result && <TestResult test={test} />}</div>
        <FormActions>
          <SubmitButton size="large" pending={submission.isPending}>
            {t('form.save')}
          </SubmitButton>
          {!isWebif && (
            <Button
              size="large"
              icon={<Activity aria-hidden="true" />}
              pending={test.isPending}
              onClick={test.run}
            >
              {t('test.connection')}
            </Button>
          )}
          <ButtonLink to="/cccam-servers/$id" params={{ id: server.id }} size="large">
            {t('form.cancel')}
          </ButtonLink>
        </FormActions>
      </div>
    </FormCard>
  );
}

function ServerFields({ form, test, server }: Omit<ServerFormProps, 'submission'>) {
  const { t } = useTranslation('servers');
  const kind = useWatch({ control: form.control, name: 'kind' });
  const field = (name: keyof ServerValues) => ({
    control: form.control,
    name,
    label: t(`form.${name}`),
    required: true,
  });
  return (
    <>
      <TextInput {...field('server_name')} autoComplete="off" maxLength={200} />
      <KindField form={form} server={server} />
      {kind === 'oscam_webif' ? (
        <WebifFields form={form} test={test} isStored />
      ) : (
        <ApiFields form={form} />
      )}
      <TextInput {...field('port')} type="number" hint={t('form.port_hint')} />
      <SelectInput {...field('protocol')} options={protocols} />
      <AddressFields form={form} />
      <NewcamdFields form={form} />
      <TextInput
        {...field('max_lines')}
        required={false}
        type="number"
        isNullable
        hint={t('form.max_lines_hint')}
      />
      <FlagField form={form} name="closed_to_new_lines" hint={t('form.closed_hint')} />
      <FlagField form={form} name="repair_automatically" hint={t('form.repair_hint')} />
    </>
  );
}

/** The way to a card server by the API that agents speak. */
function ApiFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const field = (name: keyof ServerValues) => ({
    control: form.control,
    name,
    label: t(`form.${name}`),
    required: true,
  });
  return (
    <>
      <TextInput
        {...field('host_ip')}
        hint={t('form.host_ip_change_hint')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput {...field('api_port')} type="number" hint={t('form.api_port_hint')} />
      <SelectInput {...field('api_scheme')} options={schemes} />
      <TextInput {...field('username')} autoComplete="off" spellCheck={false} />
      <PasswordInput
        {...field('password')}
        required={false}
        hint={t('form.password_unchanged')}
        autoComplete="new-password"
      />
    </>
  );
}

interface FlagFieldProps {
  form: ServerFormOf;
  name: 'closed_to_new_lines' | 'repair_automatically';
  hint: string;
}

export function FlagField({ form, name, hint }: FlagFieldProps) {
  const { t } = useTranslation('servers');
  const { field } = useController({ control: form.control, name });
  return (
    <div className={styles.repair}>
      <CheckboxField checked={field.value} onChange={field.onChange}>
        {t(`form.${name}`)}
      </CheckboxField>
      <p>{hint}</p>
    </div>
  );
}

export function TestResult({ test: { result, asked } }: { test: FormTest }) {
  const { t, i18n } = useTranslation('servers');
  const serverProblem = useServerProblem();
  if (!result) return null;
  const works = result.status === 'active';
  const { problem, advice } = serverProblem(result.finding, asked);
  return (
    <Banner tone={works ? 'success' : 'error'} title={works ? t('test.works') : problem}>
      {!works && (
        <>
          {advice && <p>{advice}</p>}
          <p>
            <ArticleLink title={t('article')} />
          </p>
        </>
      )}
      <dl className={styles.result}>
        <Step label={t('test.health')} isPassed={result.health} />
        <Step label={t('test.authentication')} isPassed={result.auth} />
        <div>
          <Text as="dt" caption tone="inherit">
            {t('test.version')}
          </Text>
          <Row strong as="dd" gap={4}>
            <TypedText>{result.version ?? t('test.unknown')}</TypedText>
          </Row>
        </div>
        <div>
          <Text as="dt" caption tone="inherit">
            {t('card.latency')}
          </Text>
          <Row strong as="dd" gap={4}>
            {result.latency_ms === null
              ? t('test.unknown')
              : `${formatNumber(result.latency_ms, i18n.language)} ${t('card.milliseconds')}`}
          </Row>
        </div>
      </dl>
    </Banner>
  );
}

function Step({ label, isPassed }: { label: string; isPassed: boolean }) {
  const { t } = useTranslation('servers');
  const Icon = isPassed ? CircleCheck : CircleX;
  return (
    <div>
      <Text as="dt" caption tone="inherit">
        {label}
      </Text>
      <Row strong as="dd" gap={4}>
        <Icon size={16} aria-hidden="true" />
        {t(isPassed ? 'test.passed' : 'test.notPassed')}
      </Row>
    </div>
  );
}

/** The C line of the typed address at each key press, and why customers may not reach it. */
export function AddressPreview({ form: { control } }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const [host_ip, port, public_host, public_port, protocol] = useWatch({
    control,
    name: ['host_ip', 'port', 'public_host', 'public_port', 'protocol'],
  });
  const { host, port: customerPort } = enteredAddress({ host_ip, port, public_host, public_port });
  return (
    <>
      <div role="status">
        <AddressWarningText host={host} />
      </div>
      {protocol === 'CCcam' && host !== '' && (
        <Stack gap={8} wraps className={styles.preview}>
          <p>{t('form.customer_gets')}</p>
          <p>
            <CustomerLine
              line={cccamLine({ host, port: String(customerPort) }, LOGIN_WORDS)}
              other="C:"
            />
          </p>
        </Stack>
      )}
    </>
  );
}

/** The address that customers enter, with their C line as it becomes. */
function AddressFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const { control } = form;
  const [host_ip, port] = useWatch({ control, name: ['host_ip', 'port'] });
  return (
    <Stack gap={16}>
      <Grid columns="minmax(0, 2fr) minmax(0, 1fr)" gap={16} single="phone">
        <TextInput
          control={control}
          name="public_host"
          label={t('form.public_host')}
          hint={t('form.public_host_hint')}
          placeholder={host_ip}
          isNullable
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          control={control}
          name="public_port"
          label={t('form.public_port')}
          hint={t('form.public_port_hint')}
          placeholder={String(port)}
          type="number"
          isNullable
        />
      </Grid>
      <AddressPreview form={form} />
    </Stack>
  );
}
