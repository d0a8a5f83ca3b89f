import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TextBox } from './text-box.tsx';

/** The look of a password field, with the button that shows and hides the typed text. */
export function usePasswordLook(initiallyShown = false) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(initiallyShown);
  return {
    type: isShown ? ('text' as const) : ('password' as const),
    endAdornment: (
      <IconButton
        label={isShown ? t('form.hidePassword') : t('form.showPassword')}
        size="small"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff size={18} /> : <Eye size={18} />}
      </IconButton>
    ),
  };
}

export function PasswordBox(props: Omit<ComponentProps<typeof TextBox>, 'type' | 'endAdornment'>) {
  return <TextBox spellCheck={false} {...props} {...usePasswordLook()} />;
}
