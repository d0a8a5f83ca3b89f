import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { useCopyText } from '#kit/ui/buttons/use-copy-text.tsx';
import { results } from '#platform/state/results.ts';

interface CopyTextProps extends Pick<ButtonLook, 'size'> {
  label?: string;
  /** Fetches the text, including the password. */
  getText: () => Promise<string>;
  onCopied: () => void;
}

/**
 * The button that copies the text for a customer. The customer then counts as notified and the row may disappear, so
 * the result is shown in the header.
 */
export function CopyText({ size, label, getText, onCopied }: CopyTextProps) {
  const { t } = useTranslation();
  const copyText = useCopyText();
  const copy = async () => {
    if (!(await copyText(getText))) return;
    results.success(t('copy.done'));
    onCopied();
  };
  return (
    <Button size={size} icon={<Copy />} aria-label={label} onClick={() => void copy()}>
      {t('share.copy')}
    </Button>
  );
}
