import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '../../shared/ui/button.tsx';
import { useCopy } from '../../shared/ui/use-copy.ts';
import type { Credentials } from './credentials.ts';
import { useCredentialsText } from './use-credentials-text.ts';

interface CopyCredentialsButtonProps extends Pick<ButtonLook, 'variant'> {
  getCredentials: () => Credentials | Promise<Credentials>;
  children: string;
  label?: string;
}

/** Copies all that a customer needs as one text. */
export function CopyCredentialsButton(props: CopyCredentialsButtonProps) {
  const { t } = useTranslation('lines');
  const credentialsText = useCredentialsText();
  const { isCopied, copy } = useCopy(async () => credentialsText(await props.getCredentials()));
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
