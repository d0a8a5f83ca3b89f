import { useEffect, useSyncExternalStore } from 'react';
import { prefetchOnceUsed } from '../../start/later.tsx';
import { lazyComponent } from '../../start/lazy-component.tsx';

const ConfirmDialog = lazyComponent(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);

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

/**
 * Asks in a dialog; resolves to true if confirmed. A new question answers an open one with false.
 */
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

/** Renders the dialog of `confirm`. Use it once, in the shell. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
  useEffect(() => prefetchOnceUsed([ConfirmDialog.fetch]), []);
  if (!question) return null;
  const { answer, ...texts } = question;
  return (
    <ConfirmDialog open {...texts} onConfirm={() => answer(true)} onClose={() => answer(false)} />
  );
}
