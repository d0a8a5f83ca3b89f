import type { ReactNode } from 'react';

/** The shell without its parts, while they are being loaded. */
export function EmptyShell({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[var(--nav)_minmax(0,1fr)] tablet:grid-cols-1 min-h-[100vh] print:block">
      <div className="border-e border-e-divider bg-paper" />
      {children}
    </div>
  );
}
