import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useEffect, useState } from 'react';
import { useRevealLine } from '#domain/lines/queries.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

const HIDE_AFTER_MS = 30_000;

/**
 * The line's password, fetched when it is first needed and then kept while the component is
 * mounted. After it was revealed on request, it is hidden again in a while; a known password, such
 * as that of a sale, is shown from the start and stays.
 */
export function useLinePassword(line: Line, known?: string) {
  const { mutateAsync, isPending } = useRevealLine();
  const errorText = useErrorText();
  const [revealed, setRevealed] = useState<string>();
  const [isShown, setShown] = useState(known !== undefined);
  const password = known ?? revealed;

  useEffect(() => {
    if (!isShown || known !== undefined) return;
    const timer = setTimeout(() => setShown(false), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isShown, known]);

  const getPassword = async () => {
    const got = password ?? (await mutateAsync(line.id)).password;
    setRevealed(got);
    return got;
  };
  const toggle = async () => {
    if (isPending) return;
    try {
      if (!isShown) await getPassword();
      setShown(!isShown);
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return {
    shown: isShown ? password : undefined,
    getPassword,
    toggle,
    isPending,
  };
}
