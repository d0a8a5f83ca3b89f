import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../copy-text.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { IconButton } from './icon-button.tsx';
import { toast } from './toast.ts';

interface CopyButtonProps {
  value?: string;
  /** For what has to be fetched first, such as a masked password. */
  getValue?: () => Promise<string>;
  /** What is copied: "Copy username". */
  label: string;
  size?: 'medium' | 'small' | 'tiny';
}

const FEEDBACK_MS = 2000;

export function CopyButton({ value, getValue, label, size = 'tiny' }: CopyButtonProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    try {
      await copyText(value ?? (await getValue?.()) ?? '');
      setCopied(true);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
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
