import { useEffect, useState } from 'react';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { useRevealLine } from './queries.ts';

const HIDE_AFTER_MS = 30_000;

/** Fetches a line's password on request and hides it again after a while. */
export function useReveal(lineId: string) {
  const { mutateAsync, isPending } = useRevealLine();
  const errorText = useErrorText();
  const [password, setPassword] = useState<string>();

  useEffect(() => {
    if (password === undefined) return;
    const timer = setTimeout(() => setPassword(undefined), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [password]);

  const getPassword = async () => password ?? (await mutateAsync(lineId)).password;
  const toggle = async () => {
    if (isPending) return;
    if (password !== undefined) return setPassword(undefined);
    try {
      setPassword(await getPassword());
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return { password, isPending, getPassword, toggle };
}
