import { useEffect, useState } from 'react';
import { copyText } from '../../copy-text.ts';
import { useErrorText } from '../../i18n/use-error-text.ts';
import { toast } from '../toasts/toast.ts';

const FEEDBACK_MS = 2000;

/** Copies a text, which may be fetched first, and confirms for a moment. */
export function useCopy(getText: () => string | Promise<string>) {
  const errorText = useErrorText();
  const [isCopied, setCopied] = useState(false);
  const [isReached, setReached] = useState(false);
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
  const reach = () => setReached(true);
  // A live region must exist before its text changes. Most buttons of a list are never used, so it
  // is added when a button is reached.
  return { isCopied, copy, isReached, reached: { onFocus: reach, onPointerEnter: reach } };
}
