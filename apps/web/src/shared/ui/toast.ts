import type { ReactNode } from 'react';

export type ToastTone = 'success' | 'info' | 'warning' | 'error';

export interface ToastAction {
  label: string;
  onClick: () => void;
}

export interface ToastOptions {
  /** What to do about it, below the text. */
  detail?: string;
  /** Until it is closed, as errors do. */
  stays?: boolean;
  action?: ToastAction;
}

export interface Toast extends ToastOptions {
  tone: ToastTone;
  text: ReactNode;
}

type Show = (toast: Toast) => void;

let show: Show | undefined;
let waiting: Toast[] = [];
let onFirst: (() => void) | undefined;

function add(tone: ToastTone): (text: ReactNode, options?: ToastOptions) => void {
  return (text, options) => {
    const next = { ...options, tone, text };
    if (show) return show(next);
    waiting.push(next);
    onFirst?.();
  };
}

/** Results of what ran in the background. Errors stay until they are closed. */
export const toast = {
  success: add('success'),
  info: add('info'),
  warning: add('warning'),
  error: add('error'),
};

/** The host's side: it is loaded for the first toast and then shows what waited. */
export function whenToastWanted(load: () => void): void {
  onFirst = load;
  if (waiting.length > 0) load();
}

export function connectToastHost(showToast: Show): () => void {
  show = showToast;
  for (const next of waiting) show(next);
  waiting = [];
  return () => {
    show = undefined;
  };
}
