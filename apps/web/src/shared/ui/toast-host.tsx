import { lazy, Suspense, useEffect, useState } from 'react';
import { whenToastWanted } from './toast.ts';

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }));

/** Where toasts appear; their code is fetched for the first one. */
export function ToastHost() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => whenToastWanted(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
