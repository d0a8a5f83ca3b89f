import { lazy, Suspense, useSyncExternalStore } from 'react';

const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}));

export interface Question {
  title: string;
  text?: string;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
}

interface Asked extends Question {
  answer: (isConfirmed: boolean) => void;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function show(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Asks in a dialog; a question that is still open is answered with no. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      show(null);
      resolve(isConfirmed);
    };
    show({ ...question, answer });
  });
}

/** Where `confirm` shows its dialog; once, in the shell. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
  if (!question) return null;
  const { answer, ...texts } = question;
  return (
    <Suspense>
      <ConfirmDialog open {...texts} onConfirm={() => answer(true)} onClose={() => answer(false)} />
    </Suspense>
  );
}
