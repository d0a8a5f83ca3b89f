import type { ReactNode } from 'react';

export type ToastTone = 'success' | 'info' | 'warning' | 'error';

export interface ToastAction {
  label: string;
  onClick: () => void;
}

export interface ToastOptions {
  /** Advice below the text. */
  detail?: string;
  /** True to stay until closed, as errors always do. */
  stays?: boolean;
  /** Takes the place of one that was shown with the same name. */
  replaces?: string;
  /** A name shared by toasts that are taken back together, see `withdrawToasts`. */
  topic?: string;
  action?: ToastAction;
}

export interface Toast extends ToastOptions {
  tone: ToastTone;
  text: ReactNode;
}

type Show = (toast: Toast) => void;

let show: Show | undefined;
let hide: ((topic: string) => void) | undefined;
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

/** Messages about background work. Errors stay until closed. */
export const toast = {
  success: add('success'),
  info: add('info'),
  warning: add('warning'),
  error: add('error'),
};

/** `load` runs for every toast until the toaster is connected, at once if one is queued already. */
export function whenToastWanted(load: () => void): void {
  onFirst = load;
  if (waiting.length > 0) load();
}

/** Toasts queued until the toaster is loaded. */
export function waitingToasts(): readonly Toast[] {
  return waiting;
}

export function connectToastHost(showToast: Show, hideTopic: typeof hide): () => void {
  show = showToast;
  hide = hideTopic;
  for (const next of waiting) show(next);
  waiting = [];
  return () => {
    show = undefined;
    hide = undefined;
  };
}

/** Takes toasts back where what they say is now shown in another place. */
export function withdrawToasts(topic: string): void {
  waiting = waiting.filter((one) => one.topic !== topic);
  hide?.(topic);
}
