import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { SendOnce } from '#kit/commands/use-command.ts';
import { type Draft, draftKey, keepDraft, readDraft } from '#platform/browser/draft-store.ts';
import { useMe } from '#platform/data/session.ts';

const TYPING_PAUSE_MS = 300;

interface StoredDraft<Values> {
  /** The kept values, limited to the fields that the form starts with. */
  start: Values;
  wasKept: boolean;
  key: string;
}

/** The values that a form starts with: those of its draft, or the given values if it has no draft. */
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

/**
 * Keeps the values of a form in this browser until the form is sent. `once` sends the same content with the same key
 * even after a reload, so that a retry after a lost reply creates nothing twice.
 */
export function useDraft<Values extends FieldValues, Output>(
  key: string,
  form: UseFormReturn<Values, unknown, Output>,
  isEmpty: (values: Values) => boolean,
) {
  const latest = useRef<Draft | null>(readDraft(key));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const write = () => keepDraft(key, latest.current);
    const subscription = form.watch((values) => {
      const { sent } = latest.current ?? {};
      latest.current = isEmpty(values as Values) ? null : { values, ...(sent ? { sent } : {}) };
      clearTimeout(timer.current);
      timer.current = setTimeout(write, TYPING_PAUSE_MS);
    });
    window.addEventListener('pagehide', write);
    return () => {
      subscription.unsubscribe();
      window.removeEventListener('pagehide', write);
      if (timer.current !== undefined) write();
    };
  }, [key, form, isEmpty]);

  const forget = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    latest.current = null;
    keepDraft(key, null);
  };
  const once: SendOnce = async (body, idempotencyKey, send) => {
    const content = JSON.stringify(body);
    const before = latest.current?.sent;
    const sent = before?.content === content ? before : { content, idempotencyKey };
    latest.current = { values: form.getValues(), sent };
    keepDraft(key, latest.current);
    const reply = await send(sent.idempotencyKey);
    forget();
    return reply;
  };
  return { once, forget };
}
