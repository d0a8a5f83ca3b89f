import { Activity } from 'lucide-react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { WebifFoundSteps } from '#features/servers/webif/webif-found.tsx';
import { webifCause } from '#features/servers/webif/webif-steps.ts';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { SwitchField } from '#kit/ui/controls/switch-row.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { type ServerFormOf, useServerField } from './server-form-schemas.ts';
import type { FormTest } from './use-form-test.ts';

interface WebifFieldsProps {
  form: ServerFormOf;
  test: FormTest;
  /** True for a stored server, whose password is kept as long as none is typed. */
  isStored?: boolean;
}

/** The settings with which the panel reaches OSCam's web interface, with the steps of their test. */
export function WebifFields({ form, test, isStored = false }: WebifFieldsProps) {
  const { t } = useTranslation('servers');
  const field = useServerField(form);
  const { field: scheme } = useController({ control: form.control, name: 'api_scheme' });
  const isEncrypted = scheme.value === 'https';
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_136px] gap-4 items-start phone:grid-cols-[minmax(0,1fr)_112px] phone:gap-2 small-phone:grid-cols-1 small-phone:gap-4">
        <TextInput
          {...field('host_ip')}
          label={t('webif.host_ip')}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput {...field('api_port')} label={t('field.port')} type="number" required />
      </div>
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <TextInput
          {...field('username')}
          hint={t('webif.username_hint')}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          {...field('password')}
          hint={t(isStored ? 'recurring.keepPassword' : 'webif.password_hint')}
          autoComplete="new-password"
        />
      </div>
      <div className="flex items-center flex-wrap justify-between gap-4 phone:[&>button]:w-full">
        <SwitchField
          checked={isEncrypted}
          onChange={(isOn) => scheme.onChange(isOn ? 'https' : 'http')}
        >
          {t('webif.https')}
        </SwitchField>
        <Button icon={<Activity aria-hidden="true" />} pending={test.isPending} onClick={test.run}>
          {t(test.result ? 'test.again' : 'test.connection')}
        </Button>
      </div>
      <WebifTest form={form} test={test} isEncrypted={isEncrypted} isStored={isStored} />
    </div>
  );
}

/** The result of the test; answers to its questions are values of the form. */
function WebifTest({
  form,
  test,
  isEncrypted,
  isStored,
}: WebifFieldsProps & { isEncrypted: boolean }) {
  const { t } = useTranslation('servers');
  const { control, setValue, getValues } = form;
  const [certificate, isPlainAllowed] = useWatch({
    control,
    name: ['tls_fingerprint', 'plain_http_allowed'],
  });
  const { dirtyFields } = useFormState({ control });
  const { result } = test;
  const isPlain = !isEncrypted && (isPlainAllowed || (result && webifCause(result) === 'plain'));
  const confirm = (fingerprint: string) => {
    setValue('tls_fingerprint', fingerprint, { shouldDirty: true });
    // The stored password cannot be read by this page, so the new certificate is tested once it is saved.
    if (!isStored || getValues('password') !== '') test.run();
  };
  const isToSave = isStored && !result && dirtyFields.tls_fingerprint;
  return (
    <>
      {isPlain && (
        <CheckboxField
          checked={isPlainAllowed}
          onChange={(isAllowed) => setValue('plain_http_allowed', isAllowed, { shouldDirty: true })}
        >
          {t('form.plain_http_allowed')}
        </CheckboxField>
      )}
      <div role="status">
        {result && (
          <WebifFoundSteps
            found={result}
            certificate={isEncrypted ? certificate : null}
            onConfirm={confirm}
          />
        )}
        {isToSave && <Banner tone="info" title={t('webif.confirmedNow')} />}
      </div>
    </>
  );
}
