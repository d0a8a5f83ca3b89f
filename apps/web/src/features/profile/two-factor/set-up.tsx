import { type enableTwoFactor, verifyTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeInput } from '#kit/forms/fields/code-input.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { QrCode } from '#kit/ui/qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface SetUpProps {
  begun: Reply<typeof enableTwoFactor>;
  onTurnedOn: () => void;
  onClose: () => void;
}

/**
 * The form that turns two-factor sign-in on, from the QR code to the first code of the app. Nothing changes before its
 * last button is pressed.
 */
export function SetUp({ begun, onTurnedOn, onClose }: SetUpProps) {
  const { t } = useTranslation('twoFactor');
  const [hasKept, setKept] = useState(false);
  const { form, field, submission } = useCommandForm(verifyTwoFactor, {
    refreshes: ['two-factor'],
    waits: true,
    defaultValues: { code: '' },
    done: onTurnedOn,
  });
  return (
    <Form submission={submission}>
      <FormProblems form={form} />
      <ol className="grid grid-cols-1 gap-6 [counter-reset:step]">
        <Step title={t('scan')}>
          <div className="grid grid-cols-[176px_minmax(0,1fr)] gap-6 max-[700px]:grid-cols-1 max-[700px]:gap-4">
            <QrCode
              text={begun.otpauth_url}
              label={t('qr')}
              className="w-44 h-44 p-1 border border-divider-strong rounded-control bg-[#fff] max-[700px]:justify-self-center"
            />
            <SecretKey secret={begun.secret} />
          </div>
        </Step>
        <Step title={t('typeCode')}>
          <CodeInput {...field('code')} label={t('field.code')} required />
        </Step>
        <Step title={t('keep')}>
          <p className="text-text-2">{t('keepText')}</p>
          <RecoveryCodes codes={begun.recovery_codes} />
          <CheckboxField checked={hasKept} onChange={setKept}>
            {t('kept')}
          </CheckboxField>
        </Step>
      </ol>
      <FormActions>
        <SubmitButton pending={submission.isPending} blocked={hasKept ? undefined : t('keepFirst')}>
          {t('action.turnOn')}
        </SubmitButton>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </FormActions>
    </Form>
  );
}

/** The look of the number before the title of a step. */
const NUMBER =
  'before:[content:counter(step)] before:grid before:flex-none before:place-items-center before:w-6 before:h-6 before:rounded-[50%] before:bg-primary-soft before:text-primary-dark before:type-caption before:font-bold';

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-1 gap-3 [counter-increment:step]">
      <p className={`flex gap-3 items-center [outline:0] type-strong ${NUMBER}`}>{title}</p>
      <div className="grid grid-cols-1 gap-3 content-start ps-9 phone:ps-0">{children}</div>
    </li>
  );
}

/** The secret key in groups of four, so that it is easier to type. */
function SecretKey({ secret }: { secret: string }) {
  const { t } = useTranslation('twoFactor');
  return (
    <div className="grid grid-cols-1 gap-2 text-text-2 content-start">
      <p>{t('byHand')}</p>
      <div className="field-box flex items-center gap-2 w-full min-h-11 py-2 ps-3 pe-1 text-text type-entry-text phone:pe-0">
        <code className="flex-1 min-w-0 type-strong">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton value={secret} label={t('copy.field', { field: t('key') })} />
      </div>
    </div>
  );
}
