import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy-text.tsx';

interface CopyButtonProps {
  value?: string;
  /** Fetches the text first, for example a masked password. */
  getValue?: () => Promise<string>;
  /** Accessible name, for example "Copy username". */
  label: string;
  size?: 'medium' | 'small' | 'tiny';
}

export function CopyButton({ value, getValue, label, size = 'tiny' }: CopyButtonProps) {
  const { t } = useTranslation();
  const { isCopied, note, attrs } = useCopy(async () => value ?? (await getValue?.()) ?? '');
  return (
    <>
      <IconButton
        label={isCopied ? t('copy.done') : label}
        size={size}
        icon={isCopied ? 'check' : 'copy'}
        {...attrs}
      />
      {note}
    </>
  );
}

interface CopyTextButtonProps {
  getValue: () => Promise<string>;
  /** Accessible name, if the text of the button is not clear on its own. */
  label?: string | undefined;
  children: string;
}

/** A button with a text that copies something fetched. */
export function CopyTextButton({ getValue, label, children }: CopyTextButtonProps) {
  const { isCopied, note, attrs } = useCopy(getValue);
  return (
    <Button icon={isCopied ? <Check /> : <Copy />} aria-label={label} {...attrs}>
      {children}
      {note}
    </Button>
  );
}
