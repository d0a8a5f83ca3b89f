import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { TextInput, type TextInputProps } from './text-input.tsx';

interface PasswordInputProps<Values extends FieldValues, Output>
  extends Omit<TextInputProps<Values, Output>, 'type' | 'multiline' | 'endAdornment'> {
  /** Whether it starts out readable, as a generated password does. */
  initiallyShown?: boolean;
}

export function PasswordInput<Values extends FieldValues, Output>({
  initiallyShown = false,
  ...props
}: PasswordInputProps<Values, Output>) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(initiallyShown);
  return (
    <TextInput
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      endAdornment={
        <IconButton
          label={isShown ? t('form.hidePassword') : t('form.showPassword')}
          size="small"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} /> : <Eye size={18} />}
        </IconButton>
      }
    />
  );
}
