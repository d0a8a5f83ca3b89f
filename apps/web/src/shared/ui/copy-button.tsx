import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  value?: string;
  /** For what has to be fetched first, such as a masked password. */
  getValue?: () => Promise<string>;
  /** What is copied: "Copy username". */
  label: string;
  size?: 'medium' | 'small' | 'tiny';
}

export function CopyButton({ value, getValue, label, size = 'tiny' }: CopyButtonProps) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy(async () => value ?? (await getValue?.()) ?? '');
  return (
    <>
      <IconButton label={isCopied ? t('copy.done') : label} size={size} onClick={copy}>
        {isCopied ? (
          <Check size={16} aria-hidden="true" style={{ color: 'var(--success-fg)' }} />
        ) : (
          <Copy size={16} aria-hidden="true" />
        )}
      </IconButton>
      <span className="visually-hidden" role="status">
        {isCopied ? t('copy.done') : ''}
      </span>
    </>
  );
}
