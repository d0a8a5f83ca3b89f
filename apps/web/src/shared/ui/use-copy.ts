import { useEffect, useState } from 'react';
import { copyText } from '../copy-text.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { toast } from './toast.ts';

const FEEDBACK_MS = 2000;

/** Copies a text, fetched first where it must be, and says for a moment that it did. */
export function useCopy(getText: () => string | Promise<string>) {
  const errorText = useErrorText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    try {
      await copyText(await getText());
      setCopied(true);
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return { isCopied, copy };
}
