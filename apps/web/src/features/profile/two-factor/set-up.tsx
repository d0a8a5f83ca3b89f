import { type enableTwoFactor, verifyTwoFactor } from '@linekeeper/contract/auth/two-factor.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeInput } from '#kit/forms/fields/code-input.tsx';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { QrCode } from '#kit/ui/qr-code.tsx';
import { Muted, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './two-factor.module.css';

interface SetUpProps {
  begun: Reply<typeof enableTwoFactor>;
  onTurnedOn: () => void;
  onClose: () => void;
}

/** From the QR code to the first code. Nothing is asked for until the last button. */
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
      <Stack as="ol" gap={24} className={styles.steps}>
        <Step title={t('scan')}>
          <div className={styles.scan}>
            <QrCode text={begun.otpauth_url} label={t('qr')} className={styles.qr} />
            <SecretKey secret={begun.secret} />
          </div>
        </Step>
        <Step title={t('typeCode')}>
          <CodeInput {...field('code')} label={t('field.code')} required />
        </Step>
        <Step title={t('keep')}>
          <Muted as="p" className={styles.subtitle}>
            {t('keepText')}
          </Muted>
          <RecoveryCodes codes={begun.recovery_codes} />
          <CheckboxField checked={hasKept} onChange={setKept}>
            {t('kept')}
          </CheckboxField>
        </Step>
      </Stack>
      <FormActions>
        <SubmitButton pending={submission.isPending} blocked={hasKept ? undefined : t('keepFirst')}>
          {t('action.turnOn')}
        </SubmitButton>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </FormActions>
    </Form>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <p className={styles.step}>{title}</p>
      <div>{children}</div>
    </li>
  );
}

/** In groups of four, as it is typed by hand. */
function SecretKey({ secret }: { secret: string }) {
  const { t } = useTranslation('twoFactor');
  return (
    <Stack gap={8} muted className={styles.byHand}>
      <p>{t('byHand')}</p>
      <InputBox className={styles.key}>
        <Strong as="code" grow>
          {secret.match(/.{1,4}/g)?.join(' ')}
        </Strong>
        <CopyButton value={secret} label={t('copy.field', { field: t('key') })} />
      </InputBox>
    </Stack>
  );
}
