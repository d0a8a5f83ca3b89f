import { useRef, useState } from 'react';
import { newIdempotencyKey } from '../api/client.ts';

/** A request body with the idempotency key for exactly this body. */
export interface WithIdempotencyKey<Content> {
  body: Content;
  idempotencyKey: string;
}

interface SendOptions<Content, Reply> {
  send: (keyed: WithIdempotencyKey<Content>) => Promise<Reply>;
  onSuccess?: (reply: Reply, body: Content) => unknown;
  onRefused?: (error: unknown) => void;
}

export interface Sending<Content> {
  send: (body: Content) => Promise<void>;
  isPending: boolean;
  /** The last request succeeded; false again while the next is under way. */
  isDone: boolean;
  /** The error of the last attempt; null if there was none. */
  error: unknown;
  forgetError: () => void;
}

/**
 * Sends one request at a time, however often its button is pressed. After a failed request the same
 * content keeps its key, so that the panel recognises it and a sale whose reply was lost is paid once.
 * After a success the same content counts as a new request.
 */
export function useSend<Content, Reply>(options: SendOptions<Content, Reply>): Sending<Content> {
  const lastTry = useRef({ content: '', idempotencyKey: '' });
  const isUnderWay = useRef(false);
  const [state, setState] = useState<{ phase: 'idle' | 'pending' | 'done'; error: unknown }>({
    phase: 'idle',
    error: null,
  });

  const keyOf = (body: Content) => {
    const content = JSON.stringify(body) ?? '';
    if (lastTry.current.idempotencyKey === '' || lastTry.current.content !== content) {
      lastTry.current = { content, idempotencyKey: newIdempotencyKey() };
    }
    return lastTry.current.idempotencyKey;
  };
  const sendOnce = async (body: Content) => {
    let reply: Reply;
    try {
      reply = await options.send({ body, idempotencyKey: keyOf(body) });
    } catch (error) {
      setState({ phase: 'idle', error });
      return options.onRefused?.(error);
    }
    lastTry.current = { content: '', idempotencyKey: '' };
    await options.onSuccess?.(reply, body);
    setState({ phase: 'done', error: null });
  };
  const send = async (body: Content) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ phase: 'pending', error: null });
    try {
      await sendOnce(body);
    } finally {
      isUnderWay.current = false;
    }
  };
  return {
    send,
    isPending: state.phase === 'pending',
    isDone: state.phase === 'done',
    error: state.error,
    forgetError: () => setState({ ...state, error: null }),
  };
}
