import type { ReactNode } from 'react';

/** Styles of the link at the bottom of a tab of the bell, to the page with all of its entries. */
export const TO_ALL =
  'grid flex-none place-items-center min-h-14 border-t border-t-divider text-primary font-semibold';

/** The text in a tab of the bell without entries. */
export function BellNothing({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-1 text-text-2 type-caption justify-items-center py-12 px-6 text-center [&_svg]:text-icon-quiet [&_svg]:[stroke-width:1.1] [&_b]:mt-3 [&_b]:text-text [&_b]:type-strong [&_p]:max-w-60">
      {icon}
      <b>{children}</b>
    </div>
  );
}
