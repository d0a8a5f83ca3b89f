import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../shared/copy-text.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Button, type ButtonLook } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import type { Credentials } from './credentials.ts';
import { useCredentialsText } from './use-credentials-text.ts';

interface CopyCredentialsButtonProps extends Pick<ButtonLook, 'variant'> {
  getCredentials: () => Credentials | Promise<Credentials>;
  children: string;
  label?: string;
}

const FEEDBACK_MS = 2000;

/** Copies all that a customer needs as one text. */
export function CopyCredentialsButton(props: CopyCredentialsButtonProps) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const credentialsText = useCredentialsText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    try {
      await copyText(credentialsText(await props.getCredentials()));
      setCopied(true);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return (
    <Button
      variant={props.variant ?? 'outlined'}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      aria-label={props.label}
      onClick={copy}
    >
      {props.children}
      <span className="visually-hidden" role="status">
        {isCopied ? t('copied') : ''}
      </span>
    </Button>
  );
}
