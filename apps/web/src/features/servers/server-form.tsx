import { serverProtocols } from '@linekeeper/contract/servers.ts';
import { Activity } from 'lucide-react';
import type { FormEventHandler } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './server-form.module.css';
import type { ServerFormOf, ServerValues } from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import { TestResult } from './test-result.tsx';
import type { FormTest } from './use-form-test.ts';

const schemes = ['http', 'https'].map((value) => ({ value, label: value }));
const protocols = serverProtocols.map((value) => ({ value, label: value }));

interface ServerFormProps {
  form: ServerFormOf;
  title: string;
  submitLabel: string;
  /** An edited server keeps its password when none is typed. */
  isEdit?: boolean;
  test: FormTest;
  onSubmit: FormEventHandler;
}

export function ServerForm(props: ServerFormProps) {
  const { form, title, submitLabel, isEdit = false, test, onSubmit } = props;
  const { t } = useTranslation('servers');
  return (
    <Card className={styles.card}>
      <form className={styles.form} aria-label={title} noValidate onSubmit={onSubmit}>
        <ServerFormSummary form={form} />
        <ServerFields form={form} isEdit={isEdit} />
        <div>
          <div role="status">{test.result && <TestResult test={test} />}</div>
          <div className={styles.actions}>
            <SubmitButton size="large" pending={form.formState.isSubmitting}>
              {submitLabel}
            </SubmitButton>
            <Button
              size="large"
              icon={<Activity aria-hidden="true" />}
              pending={test.isPending}
              onClick={test.run}
            >
              {t('test.connection')}
            </Button>
            <ButtonLink to={paths.servers()} size="large">
              {t('form.cancel')}
            </ButtonLink>
          </div>
        </div>
      </form>
    </Card>
  );
}

function ServerFields({ form, isEdit }: { form: ServerFormOf; isEdit: boolean }) {
  const { t } = useTranslation('servers');
  const field = (name: keyof ServerValues) => ({
    control: form.control,
    name,
    label: t(`form.${name}`),
    required: true,
  });
  return (
    <>
      <TextInput {...field('server_name')} autoComplete="off" maxLength={200} />
      <TextInput
        {...field('host_ip')}
        hint={t(isEdit ? 'form.host_ip_change_hint' : 'form.host_ip_hint')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput {...field('port')} type="number" hint={t('form.port_hint')} />
      <TextInput {...field('api_port')} type="number" hint={t('form.api_port_hint')} />
      <SelectInput {...field('api_scheme')} options={schemes} />
      <TextInput {...field('username')} autoComplete="off" spellCheck={false} />
      <PasswordInput
        {...field('password')}
        required={!isEdit}
        hint={t(isEdit ? 'form.password_unchanged' : 'form.password_hint')}
        autoComplete="new-password"
      />
      <SelectInput {...field('protocol')} options={protocols} />
    </>
  );
}
