import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { usePasswordLook } from './password-box.tsx';
import { TextInput, type TextInputProps } from './text-input.tsx';

interface PasswordInputProps<Values extends FieldValues, Output>
  extends Omit<TextInputProps<Values, Output>, 'type' | 'multiline' | 'endAdornment'> {
  /** True to show the password at first, for example a generated one. */
  initiallyShown?: boolean;
}

export function PasswordInput<Values extends FieldValues, Output>({
  initiallyShown = false,
  ...props
}: PasswordInputProps<Values, Output>) {
  return <TextInput spellCheck={false} {...props} {...usePasswordLook(initiallyShown)} />;
}

type CurrentPasswordProps<Values extends FieldValues, Output> = Pick<
  TextInputProps<Values, Output>,
  'control' | 'name' | 'autoFocus'
> & { label?: string };

/** The input for the account's present password, which password managers fill in. */
export function CurrentPassword<Values extends FieldValues, Output>({
  label,
  ...props
}: CurrentPasswordProps<Values, Output>) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      {...props}
      label={label ?? t('field.password')}
      autoComplete="current-password"
      required
    />
  );
}
