import { cccamLine, LOGIN_WORDS } from '@linekeeper/contract/lines/receivers.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Activity, CircleCheck, CircleX } from 'lucide-react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CustomerLine } from '#domain/lines/address-change.tsx';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { KindChoice } from '#features/servers/webif/kind-choice.tsx';
import { TooManyLines } from '#features/servers/webif/too-many-lines.tsx';
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
import { formatNumber } from '#platform/i18n/format-number.ts';
import { NewcamdFields } from './newcamd-fields.tsx';
import {
  enteredAddress,
  fieldTexts,
  type ServerFormOf,
  useServerField,
} from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import { useChosenKind } from './use-chosen-kind.ts';
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

/** The form with all settings of a stored server. */
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
      <div className="[&_[role=status]>*]:mb-6">
        <div role="status">{!isWebif && test.result && <TestResult test={test} />}</div>
        <FormActions>
          <SubmitButton size="large" pending={submission.isPending}>
            {t('action.save')}
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
            {t('action.cancel')}
          </ButtonLink>
        </FormActions>
      </div>
    </FormCard>
  );
}

function ServerFields({ form, test, server }: Omit<ServerFormProps, 'submission'>) {
  const { t } = useTranslation('servers');
  const kind = useWatch({ control: form.control, name: 'kind' });
  const field = useServerField(form);
  return (
    <>
      <TextInput {...field('server_name')} required autoComplete="off" maxLength={200} />
      <KindField form={form} server={server} />
      {kind === 'oscam_webif' ? (
        <WebifFields form={form} test={test} isStored />
      ) : (
        <ApiFields form={form} />
      )}
      <TextInput {...field('port')} type="number" required />
      <SelectInput {...field('protocol')} options={protocols} required />
      <AddressFields form={form} />
      <NewcamdFields form={form} />
      <TextInput {...field('max_lines')} type="number" isNullable hint={t('form.max_lines_hint')} />
      <FlagField form={form} name="closed_to_new_lines" />
      <FlagField form={form} name="repair_automatically" hint={t('form.repair_hint')} />
    </>
  );
}

/** The fields for a card server that is reached by the API of agents. */
function ApiFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const field = useServerField(form);
  return (
    <>
      <TextInput
        {...field('host_ip')}
        required
        hint={t('form.host_ip_change_hint')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput {...field('api_port')} type="number" required />
      <SelectInput {...field('api_scheme')} options={schemes} required />
      <TextInput {...field('username')} required autoComplete="off" spellCheck={false} />
      <PasswordInput
        {...field('password')}
        hint={t('recurring.keepPassword')}
        autoComplete="new-password"
      />
    </>
  );
}

interface FlagFieldProps {
  form: ServerFormOf;
  name: 'closed_to_new_lines' | 'repair_automatically';
  hint?: string;
}

export function FlagField({ form, name, hint }: FlagFieldProps) {
  const { t } = useTranslation('servers');
  const { field } = useController({ control: form.control, name });
  // The label is the switch's on the server's page, and has the opposite meaning of the field.
  const isOpposite = name === 'closed_to_new_lines';
  return (
    <div className="[&_p]:ms-7.5 [&_p]:text-text-2 [&_p]:type-caption">
      <CheckboxField
        checked={field.value !== isOpposite}
        onChange={(isOn) => field.onChange(isOn !== isOpposite)}
      >
        {t(fieldTexts[name])}
      </CheckboxField>
      {hint && <p>{hint}</p>}
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
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(128px,1fr))] gap-y-2 gap-x-4 mt-2">
        <Step label={t('test.health')} isPassed={result.health} />
        <Step label={t('call.auth')} isPassed={result.auth} />
        <div>
          <dt className="text-inherit type-caption">{t('test.version')}</dt>
          <dd className="flex items-center gap-1 type-strong">
            <TypedText>{result.version ?? t('recurring.unknown')}</TypedText>
          </dd>
        </div>
        <div>
          <dt className="text-inherit type-caption">{t('health.latency')}</dt>
          <dd className="flex items-center gap-1 type-strong">
            {result.latency_ms === null
              ? t('recurring.unknown')
              : `${formatNumber(result.latency_ms, i18n.language)} ${t('card.milliseconds')}`}
          </dd>
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
      <dt className="text-inherit type-caption">{label}</dt>
      <dd className="flex items-center gap-1 type-strong">
        <Icon size={16} aria-hidden="true" />
        {t(isPassed ? 'health.passed' : 'state.failed')}
      </dd>
    </div>
  );
}

/**
 * The C line of customers for the address in the form, updated during typing, and a warning if
 * customers may be unable to reach the address.
 */
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
        <div className="grid grid-cols-1 gap-2 min-w-0 wrap-anywhere [&_p:first-child]:type-strong [&_p:last-child]:py-3 [&_p:last-child]:px-4 [&_p:last-child]:rounded-control [&_p:last-child]:bg-head">
          <p>{t('form.customer_gets')}</p>
          <p>
            <CustomerLine
              line={cccamLine({ host, port: String(customerPort) }, LOGIN_WORDS)}
              other="C:"
            />
          </p>
        </div>
      )}
    </>
  );
}

/** The address for customers, with their resulting C line. */
function AddressFields({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const field = useServerField(form);
  const [host_ip, port] = useWatch({ control: form.control, name: ['host_ip', 'port'] });
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 phone:grid-cols-1">
        <TextInput
          {...field('public_host')}
          hint={t('form.public_host_hint')}
          placeholder={host_ip}
          isNullable
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...field('public_port')}
          hint={t('form.public_port_hint')}
          placeholder={String(port)}
          type="number"
          isNullable
        />
      </div>
      <AddressPreview form={form} />
    </div>
  );
}

interface KindFieldProps {
  form: ServerFormOf;
  server: Server;
}

/**
 * The choice of how the panel reaches a stored server. Before a change is saved, a banner explains its consequences.
 */
function KindField({ form, server }: KindFieldProps) {
  const { t } = useTranslation('servers');
  const { kind, choose } = useChosenKind(form);
  const { line_count: count } = server;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="type-strong">{t('form.kind')}</p>
      <KindChoice value={kind} onChange={choose} />
      <div role="status">
        {kind !== server.kind && (
          <Banner tone="info" title={t('kind.change.title', { count })}>
            <p>{t(`kind.change.${kind}`)}</p>
          </Banner>
        )}
      </div>
      {kind === 'oscam_webif' && <TooManyLines count={count} />}
    </div>
  );
}
