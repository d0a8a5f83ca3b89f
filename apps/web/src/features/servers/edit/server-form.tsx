import { serverProtocols } from '@linekeeper/contract/servers/servers.ts';
import { Activity } from 'lucide-react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../../../shared/forms/fields/password-input.tsx';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../../shared/forms/form.tsx';
import { SubmitButton } from '../../../shared/forms/submit-button.tsx';
import type { Submission } from '../../../shared/forms/use-submit.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { AddressFields } from './address-fields.tsx';
import { NewcamdFields } from './newcamd-fields.tsx';
import styles from './server-form.module.css';
import type { ServerFormOf, ServerValues } from './server-form-schemas.ts';
import { ServerFormSummary } from './server-form-summary.tsx';
import { TestResult } from './test-result.tsx';
import type { FormTest } from './use-form-test.ts';

const schemes = ['http', 'https'].map((value) => ({ value, label: value }));
const protocols = serverProtocols.map((value) => ({ value, label: value }));

interface ServerFormProps {
  form: ServerFormOf;
  submission: Submission;
  label: string;
  submitLabel: string;
  /** An edited server keeps its password if the field is empty. */
  isEdit?: boolean;
  test: FormTest;
}

export function ServerForm(props: ServerFormProps) {
  const { form, submission, label, submitLabel, isEdit = false, test } = props;
  const { t } = useTranslation('servers');
  return (
    <FormCard submission={submission} label={label}>
      <ServerFormSummary form={form} />
      <ServerFields form={form} isEdit={isEdit} />
      <div className={styles.end}>
        <div role="status">{test.result && <TestResult test={test} />}</div>
        <FormActions>
          <SubmitButton size="large" pending={submission.isPending}>
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
          <ButtonLink to="/cccam-servers/manage" size="large">
            {t('form.cancel')}
          </ButtonLink>
        </FormActions>
      </div>
    </FormCard>
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

interface FlagFieldProps {
  form: ServerFormOf;
  name: 'closed_to_new_lines' | 'repair_automatically';
  hint: string;
}

function FlagField({ form, name, hint }: FlagFieldProps) {
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
