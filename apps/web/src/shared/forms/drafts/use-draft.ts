import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../api/client.ts';
import { type Draft, draftKey, keepDraft, readDraft } from '../../browser/draft-store.ts';
import type { SendOnce } from '../../commands/use-command.ts';
import { useMe } from '../../data/session.ts';
import { onDraftChanged, stopWaiting } from './waiting-drafts.ts';

const TYPING_PAUSE_MS = 300;

interface StoredDraft<Values> {
  /** The kept values, limited to the fields that the form starts with. */
  start: Values;
  wasKept: boolean;
  key: string;
}

/** The values that a form starts with: those of its draft, or the given. */
export function useStoredDraft<Values extends FieldValues>(
  name: string,
  empty: Values,
): StoredDraft<Values> {
  const key = draftKey(useMe().id, name);
  const [draft] = useState(() => readDraft(key));
  const kept = Object.entries(draft?.values ?? {}).filter(
    ([field, value]) => field in empty && typeof value === typeof empty[field],
  );
  return { start: { ...empty, ...Object.fromEntries(kept) }, wasKept: draft !== null, key };
}

function areSame(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const names = Object.keys({ ...left, ...right });
  return names.every((name) => JSON.stringify(left[name]) === JSON.stringify(right[name]));
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NETWORK';
}

interface DraftOptions<Values> {
  isEmpty: (values: Values) => boolean;
  /** Empties the form, whose draft was sent while it waited for a connection. */
  onSent: () => void;
}

/**
 * Keeps what is typed into a form in this browser until it is sent. `once` sends the same content
 * under the same key even after a reload, so that a retry after a lost reply creates nothing twice.
 * What is submitted without a connection waits, and is sent as it is when there is one.
 */
export function useDraft<Values extends FieldValues, Output>(
  key: string,
  form: UseFormReturn<Values, unknown, Output>,
  { isEmpty, onSent }: DraftOptions<Values>,
) {
  const latest = useRef<Draft | null>(readDraft(key));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isWaiting, setWaiting] = useState(latest.current?.isWaiting === true);
  useEffect(() => {
    const write = () => keepDraft(key, latest.current);
    const subscription = form.watch((values) => {
      const before = latest.current;
      if (before && areSame(values, before.values)) return;
      const { sent } = before ?? {};
      latest.current = isEmpty(values as Values) ? null : { values, ...(sent ? { sent } : {}) };
      clearTimeout(timer.current);
      timer.current = setTimeout(write, TYPING_PAUSE_MS);
      if (!before?.isWaiting) return;
      // A draft must not be sent while its text is being changed.
      write();
      setWaiting(false);
      form.clearErrors('root.server');
    });
    window.addEventListener('pagehide', write);
    return () => {
      subscription.unsubscribe();
      window.removeEventListener('pagehide', write);
      if (timer.current !== undefined) write();
    };
  }, [key, form, isEmpty]);
  const followSending = useEffectEvent(() => {
    if (!latest.current?.isWaiting) return;
    latest.current = readDraft(key);
    setWaiting(latest.current?.isWaiting === true);
    if (!latest.current) onSent();
  });
  useEffect(() => onDraftChanged(key, followSending), [key]);

  const forget = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    latest.current = null;
    setWaiting(false);
    keepDraft(key, null);
  };
  const keep = (draft: Draft) => {
    latest.current = draft;
    setWaiting(draft.isWaiting === true);
    keepDraft(key, draft);
  };
  const once: SendOnce = async (body, idempotencyKey, send) => {
    const content = JSON.stringify(body);
    const before = latest.current?.sent;
    const sent = before?.content === content ? before : { content, idempotencyKey };
    const values = form.getValues();
    const tried = { triedAt: Date.now(), ...sent };
    keep({ values, sent: tried });
    try {
      const reply = await send(sent.idempotencyKey);
      forget();
      return reply;
    } catch (error) {
      if (isUnreachable(error)) keep({ values, sent: tried, isWaiting: true });
      throw error;
    }
  };
  /** Does not send it by itself any more. */
  const takeBack = () => {
    stopWaiting(key);
    form.clearErrors('root.server');
  };
  return { once, forget, isWaiting, takeBack };
}
