import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import {
  type Address,
  type Receivers,
  receiversOf,
  splitHostPort,
} from '@linekeeper/contract/lines/receivers.ts';
import { useState } from 'react';
import { useRevealLine } from '#domain/lines/queries.ts';
import { signInName } from '#domain/lines/state.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

export type LineServer = Reply<typeof lineServer>;

/** The line's own address, else its server's for customers. */
export function addressOf(line: Line, server: LineServer | undefined): Address {
  return splitHostPort(line.host_port[0] ?? server?.host_port ?? '');
}

export function receiversOfLine(line: Line, server: LineServer, password: string): Receivers {
  return receiversOf(server, addressOf(line, server), { username: signInName(line), password });
}

/** Says why it could not be done: the password is fetched first. */
export function useAttempt() {
  const errorText = useErrorText();
  return (act: () => Promise<void>) => async () => {
    try {
      await act();
    } catch (error) {
      results.error(errorText(error));
    }
  };
}

/**
 * The line's password, fetched when it is first needed and then kept as long as the caller is there.
 * One that is known, as after a sale, is shown from the start.
 */
export function useLinePassword(line: Line, known: string | undefined) {
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
