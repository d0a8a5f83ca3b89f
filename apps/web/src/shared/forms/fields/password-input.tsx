import type { FieldValues } from 'react-hook-form';
import { usePasswordLook } from './password-box.tsx';
import { TextInput, type TextInputProps } from './text-input.tsx';

interface PasswordInputProps<Values extends FieldValues, Output>
  extends Omit<TextInputProps<Values, Output>, 'type' | 'multiline' | 'endAdornment'> {
  /** True to show the password at first, as for a generated one. */
  initiallyShown?: boolean;
}

export function PasswordInput<Values extends FieldValues, Output>({
  initiallyShown = false,
  ...props
}: PasswordInputProps<Values, Output>) {
  return <TextInput spellCheck={false} {...props} {...usePasswordLook(initiallyShown)} />;
}
