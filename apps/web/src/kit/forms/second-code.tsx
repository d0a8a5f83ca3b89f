import { useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CodeInput } from './fields/code-input.tsx';
import { TextInput } from './fields/text-input.tsx';

interface Codes {
  code?: string | undefined;
  recovery_code?: string | undefined;
}

interface SecondCodeProps<Values extends Codes & FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  autoFocus?: boolean;
  /** True if the form has no other field, so that the last digit of the app's code sends it. */
  isAlone?: boolean;
}

/**
 * The fields of a second sign-in step: a code of the app, or instead a recovery code. The form sends the code that is
 * shown.
 */
export function SecondCode<Values extends Codes & FieldValues, Output>({
  form,
  autoFocus = false,
  isAlone = false,
}: SecondCodeProps<Values, Output>) {
  const { t } = useTranslation('twoFactor');
  const [hasSwitched, setSwitched] = useState(false);
  const { control, setValue, clearErrors, watch } = form as unknown as UseFormReturn<Codes>;
  const isRecovery = watch('recovery_code') !== undefined;
  const change = () => {
    clearErrors();
    setValue('code', isRecovery ? '' : undefined);
    setValue('recovery_code', isRecovery ? undefined : '');
    setSwitched(true);
  };
  const look = { control, required: true, autoFocus: autoFocus || hasSwitched };
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2 [&>:first-child]:w-full">
      {isRecovery ? (
        <TextInput
          {...look}
          name="recovery_code"
          label={t('recoveryCode')}
          hint={t('recoveryHint')}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <CodeInput {...look} name="code" label={t('field.code')} isLast={isAlone} />
      )}
      <Button variant="text" size="small" onClick={change}>
        {t(isRecovery ? 'useCode' : 'useRecovery')}
      </Button>
    </div>
  );
}
