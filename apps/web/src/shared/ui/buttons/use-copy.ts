import { useEffect, useState } from 'react';
import { useCopyText } from './use-copy-text.tsx';

const FEEDBACK_MS = 2000;

/** Copies a text, which may be fetched first, and confirms for a moment. */
export function useCopy(getText: () => string | Promise<string>) {
  const copyText = useCopyText();
  const [isCopied, setCopied] = useState(false);
  const [isReached, setReached] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    if (await copyText(getText)) setCopied(true);
  };
  const reach = () => setReached(true);
  // A live region must exist before its text changes. Most buttons of a list are never used, so it
  // is added when a button is reached.
  return { isCopied, copy, isReached, reached: { onFocus: reach, onPointerEnter: reach } };
}
