import type { Body, CallInput, Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '#platform/api/client.ts';
import type { QueryName } from '#platform/api/query-names.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

type ParamsOf<E extends Endpoint> = E extends Endpoint
  ? CallInput<E> extends { params: infer Params }
    ? Params
    : never
  : never;
// biome-ignore lint/suspicious/noConfusingVoidType: callers may omit an argument of type void
export type ContentOf<E extends Endpoint> = E extends { body: object } ? Body<E> : void;

export interface CommandOptions<E extends Endpoint, Content> {
  params?: ParamsOf<E> | undefined;
  /** Builds the whole input of the call, if the content is not the body. */
  input?: (content: Content) => CallInput<E>;
  /** Queries that the command makes stale, even if its reply was lost. */
  refreshes?: readonly QueryName[] | undefined;
  /**
   * Refetches the queries with these names. A caller whose `done` already shows the reply can do that later; by default
   * they are refetched immediately.
   */
  refetch?: (names: readonly QueryName[]) => unknown;
  /** Queries of an object that the command deletes: fetching them again would show an error. */
  removes?: readonly QueryKey[];
  /** True to stay pending until the refreshed queries have arrived. */
  waits?: boolean | undefined;
  /** True for tests and checks: each attempt gets its own key, so that no earlier result is repeated. */
  isRepeatable?: boolean | undefined;
  /** True if the page shows errors itself, or if nobody waits for the command. */
  isSilent?: boolean;
  done?: (reply: Reply<E>, content: Content) => unknown;
  /** The text of the result after a success. */
  doneText?: (reply: Reply<E>, content: Content) => string;
}

/**
 * A function that calls `send` with an idempotency key stored with the draft (see `useDraft`), so that the same
 * content sent again after a reload is carried out only once.
 */
export type SendOnce = <Answer>(
  content: unknown,
  idempotencyKey: string,
  send: (idempotencyKey: string) => Promise<Answer>,
) => Promise<Answer>;

export interface SendOptions<Content, Answer> {
  done?: ((reply: Answer, content: Content) => unknown) | undefined;
  /** Handles the error, which is otherwise shown as a result. */
  refused?: ((error: unknown) => unknown) | undefined;
  once?: SendOnce | undefined;
}

export interface Command<Content, Answer> {
  /** Resolves once the command has succeeded or was refused; does nothing while an attempt is in progress. */
  send(content: Content, options?: SendOptions<Content, Answer>): Promise<void>;
  isPending: boolean;
  /** True after a success, until the next attempt. */
  isDone: boolean;
  /** The error of the last attempt; null if there was none. */
  error: unknown;
  forgetError: () => void;
}

export interface Attempt {
  input: unknown;
  run: () => Promise<unknown>;
}

/**
 * A command is a call that changes something. It is sent once, even if its button is pressed
 * several times. After an error the same content keeps its idempotency key, so that the panel
 * recognises it and a sale whose reply was lost is paid once. After a success the same content
 * counts as a new request, and a failure of later steps cannot undo the success.
 */
export function useCommand<E extends Endpoint, Content = ContentOf<E>>(
  endpoint: E,
  options: CommandOptions<E, Content> = {},
): Command<Content, Reply<E>> {
  const { params, refreshes = [], removes = [], waits, isRepeatable, isSilent } = options;
  const queryClient = useQueryClient();
  const { t } = useTranslation();
  const errorText = useErrorText();
  const lastAttempt = useRef({ input: '', idempotencyKey: '' });
  const isUnderWay = useRef(false);
  const [isFollowing, setFollowing] = useState(false);
  const mutation = useMutation({
    mutationKey: [endpoint.name],
    mutationFn: ({ run }: Attempt) => run() as Promise<Reply<E>>,
    meta: { isRefetchedLater: options.refetch !== undefined },
    // Requests and replies may contain passwords, so the cache must not keep them.
    gcTime: 0,
  });

  const keyOf = (input: CallInput<E>) => {
    const text = JSON.stringify([endpoint.name, input]);
    if (isRepeatable || lastAttempt.current.input !== text) {
      lastAttempt.current = { input: text, idempotencyKey: newIdempotencyKey() };
    }
    return lastAttempt.current.idempotencyKey;
  };
  const refetch = (names: readonly QueryName[]) =>
    Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const refresh = () => (options.refetch ?? refetch)(refreshes);
  const ask = async (input: CallInput<E>, idempotencyKey: string) => {
    try {
      const reply = await call(endpoint, input, { idempotencyKey });
      for (const queryKey of removes) queryClient.removeQueries({ queryKey });
      const refreshed = refresh();
      if (waits) await refreshed;
      return reply;
    } catch (error) {
      void refresh();
      throw error;
    }
  };
  const send = async (
    content: Content,
    { done, refused, once }: SendOptions<Content, Reply<E>> = {},
  ) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const input = options.input?.(content) ?? ({ params, body: content } as CallInput<E>);
    const key = keyOf(input);
    const run = () => (once ? once(content, key, (kept) => ask(input, kept)) : ask(input, key));
    const follow = async (reply: Reply<E>) => {
      await options.done?.(reply, content);
      if (options.doneText) results.success(options.doneText(reply, content));
      await done?.(reply, content);
    };
    try {
      const reply = await mutation.mutateAsync({ input, run });
      lastAttempt.current = { input: '', idempotencyKey: '' };
      setFollowing(true);
      await follow(reply).catch((error: unknown) => {
        // The request has succeeded, so the page must not look as if it could be sent again.
        results.warning(t('offline.doneNotShown'), { detail: errorText(error), stays: true });
        mutation.reset();
      });
    } catch (error) {
      if (refused) await refused(error);
      else if (!isSilent) results.error(errorText(error));
    } finally {
      setFollowing(false);
      isUnderWay.current = false;
    }
  };
  return {
    send,
    isPending: mutation.isPending || isFollowing,
    isDone: mutation.isSuccess,
    error: mutation.error,
    forgetError: mutation.reset,
  };
}
