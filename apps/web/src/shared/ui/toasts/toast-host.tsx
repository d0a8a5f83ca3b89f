import { useEffect, useState } from 'react';
import { prefetchOnceUsed } from '../../start/later.tsx';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { waitingToasts, whenToastWanted } from '../../state/toast.ts';
import styles from './toast-host.module.css';

/** Fallback with plain text if the code of the toasts cannot be loaded. */
function PlainToasts() {
  return (
    <div className={`floating ${styles.plain}`} role="status" data-print="none">
      {waitingToasts().map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are only appended
        <p key={index}>{text}</p>
      ))}
    </div>
  );
}

const Toaster = lazyComponent(async () => (await import('./toaster.tsx')).Toaster, {
  instead: PlainToasts,
  isPart: true,
  isOpen: ({ toasts }) => toasts,
});

/** Renders toasts. Loads their code when idle, before the first one is needed. */
export function ToastHost() {
  const [toasts, setToasts] = useState(0);
  useEffect(() => whenToastWanted(() => setToasts((before) => before + 1)), []);
  useEffect(() => prefetchOnceUsed([Toaster.fetch]), []);
  return toasts > 0 && <Toaster toasts={toasts} />;
}
