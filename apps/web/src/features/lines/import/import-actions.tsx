import type { ReactNode } from 'react';

/** The foot of a step of an import: notes first, then the buttons. */
export function ImportActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center flex-wrap justify-end gap-y-2 gap-x-4 [&>:first-child]:flex-[1_1_240px] phone:[&>button]:flex-[1_0_100%]">
      {children}
    </div>
  );
}
