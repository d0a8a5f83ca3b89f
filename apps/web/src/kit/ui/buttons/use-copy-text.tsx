import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

/**
 * A function that copies a text, which may be fetched first. If the browser refuses to copy, the text is shown and
 * selected.
 */
export function useCopyText() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return async (getText: () => string | Promise<string>): Promise<boolean> => {
    let got = '';
    try {
      const isCopied = await copyText(() => {
        const text = getText();
        if (typeof text === 'string') got = text;
        return typeof text === 'string' ? text : text.then((fetched) => (got = fetched));
      });
      if (isCopied) return true;
      results.info(t('copy.byHand'), { copies: got, stays: true });
    } catch (error) {
      results.error(errorText(error));
    }
    return false;
  };
}

/**
 * Copies a text to the clipboard, also without HTTPS or clipboard permission. A text that has to be fetched is passed
 * as a promise, because WebKit allows copying only during a click. Returns false if the browser refuses to copy; throws
 * if the text cannot be fetched.
 */
export async function copyText(getText: () => string | Promise<string>): Promise<boolean> {
  const got = getText();
  if (typeof got !== 'string' && (await writePromise(got))) return true;
  const text = await got;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

/**
 * Writes a text that arrives later. Returns false if the browser does not accept promises, or the
 * text could not be fetched.
 */
async function writePromise(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }));
    // The browser may give up before the text arrives, so the error is ignored here.
    blob.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}

function copyThroughSelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // The area is inside the open dialog, because a focus trap takes the focus back from elements outside.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

const FEEDBACK_MS = 2000;

/** Copies a text, which may be fetched first, and confirms for a moment. `note` is for screen readers. */
export function useCopy(getText: () => string | Promise<string>) {
  const { t } = useTranslation();
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
  const note = isReached && (
    <span className="visually-hidden" role="status">
      {isCopied ? t('copy.done') : ''}
    </span>
  );
  return { isCopied, copy, note, attrs: { onFocus: reach, onPointerEnter: reach, onClick: copy } };
}
