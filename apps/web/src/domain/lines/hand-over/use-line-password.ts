import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useState } from 'react';
import { useRevealLine } from '#domain/lines/queries.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

/**
 * The line's password, fetched when it is first needed and then kept as long as the caller is there.
 * One that is known, as after a sale, is shown from the start.
 */
export function useLinePassword(line: Line, known?: string) {
  const { mutateAsync, isPending } = useRevealLine();
  const errorText = useErrorText();
  const [revealed, setRevealed] = useState<string>();
  const [isShown, setShown] = useState(known !== undefined);
  const password = known ?? revealed;

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
