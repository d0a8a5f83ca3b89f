import { useEffect } from 'react';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { createStore } from '#platform/state/create-store.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

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

const asked = createStore<Asked | null>(null);

/** Asks in a dialog; resolves to true if confirmed. A new question ends an open one with false. */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      asked.set(null);
      resolve(isConfirmed);
    };
    asked.set({ ...question, answer });
  });
}

/** Renders the dialog of `confirm`. Use it once, in the shell. */
export function ConfirmHost() {
  const question = asked.use();
  useEffect(() => prefetchOnceUsed([ConfirmDialog.fetch]), []);
  if (!question) return null;
  const { answer, ...texts } = question;
  return (
    <ConfirmDialog open {...texts} onConfirm={() => answer(true)} onClose={() => answer(false)} />
  );
}
