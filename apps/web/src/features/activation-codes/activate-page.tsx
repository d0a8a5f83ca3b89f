import { type ActivatedLine, activate } from '@linekeeper/contract/credits/activation-codes.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { generatePassword } from '#kit/forms/pickers/generate-password.ts';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { VisitorFrame, VisitorOutcome } from '#kit/page/visitor/visitor-frame.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

interface Activated {
  line: ActivatedLine;
  password: string;
}

/** The page on which a customer makes a line with a code. */
export function ActivatePage() {
  const { t } = useTranslation('activate');
  const [activated, setActivated] = useState<Activated>();
  if (activated) {
    return (
      <VisitorFrame title={t('done.title')} hasContact={false}>
        <VisitorOutcome>
          <p role="status">{t(activated.line.is_ready ? 'done.ready' : 'done.soon')}</p>
          <Entered {...activated} />
        </VisitorOutcome>
      </VisitorFrame>
    );
  }
  return (
    <VisitorFrame title={t('title')} intro={t('text')} hasContact={false}>
      <ActivateForm onDone={setActivated} />
    </VisitorFrame>
  );
}

function ActivateForm({ onDone }: { onDone: (activated: Activated) => void }) {
  const { t } = useTranslation('activate');
  const { t: auth } = useTranslation('auth');
  const [password] = useState(generatePassword);
  const { form, field, submission } = useCommandForm(activate, {
    // A printed card has its code after #.
    defaultValues: { code: location.hash.slice(1), username: '', password },
    done: ({ line }, sent) => onDone({ line, password: sent.password }),
    fieldOfCode: {
      INVALID_OR_EXPIRED_CODE: 'code',
      ACTIVATION_CODE_USED: 'code',
      USERNAME_EXISTS: 'username',
    },
    isGuarded: false,
  });
  const plain = { autoComplete: 'off', spellCheck: false, required: true };
  return (
    <Form submission={submission}>
      <FormProblems form={form} fixFields={(count) => auth('fixFields', { count })} />
      <TextInput {...field('code')} {...plain} label={t('field.code')} autoFocus />
      <TextInput
        {...field('username')}
        {...plain}
        label={t('field.username')}
        hint={t('nameHint')}
      />
      <PasswordField form={form} name="password" label={t('field.password')} isGenerated required />
      <SubmitButton pending={submission.isPending || submission.isDone} size="large" fullWidth>
        {t('submit')}
      </SubmitButton>
    </Form>
  );
}

/** The receiver settings of the new line. */
function Entered({ line, password }: Activated) {
  const { t } = useTranslation('activate');
  const { username, expiry_date, servers, host, port } = line;
  const lines = servers.flatMap(({ cccam, newcamd }) => (cccam ? [cccam] : newcamd));
  const values = [
    [t('field.server'), host],
    [t('field.port'), port],
    [t('field.username'), username],
    [t('field.password'), password],
    ...lines.map((text) => [text.startsWith('C:') ? t('recurring.cLine') : t('nLine'), text]),
  ] as const;
  return (
    <dl className="divided border border-divider rounded-[12px]">
      {values.map(([name = '', value = '']) => (
        <div
          key={name + value}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-2 ps-4 pe-2"
        >
          <dt>{name}</dt>
          <dd className="col-1 type-strong wrap-anywhere">
            <TypedText>{value}</TypedText>
          </dd>
          <dd className="row-[1/3] col-2">
            <CopyButton size="small" value={value} label={t('copy.field', { field: name })} />
          </dd>
        </div>
      ))}
      <div className="py-2 px-4">
        <dt>{t('validUntil')}</dt>
        <dd className="type-strong">{formatDay(expiry_date)}</dd>
      </div>
    </dl>
  );
}
