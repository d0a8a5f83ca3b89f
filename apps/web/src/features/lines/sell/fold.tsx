import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

/** A frame around folded rows of fields that are rarely changed. */
export function Folds({ children }: { children: ReactNode }) {
  return (
    <div className="border border-divider rounded-[12px] [&>:not(:first-child)]:border-t [&>:not(:first-child)]:border-t-divider [&>div>button]:flex [&>div>button]:w-full [&>div>button]:items-center [&>div>button]:gap-2 [&>div>button]:min-h-13 [&>div>button]:pt-1 [&>div>button]:pr-3 [&>div>button]:pb-1 [&>div>button]:pl-4 [&>div>button]:rounded-[12px] [&>div>button]:[&>:first-child]:flex-none [&>div>button]:[&>:nth-child(2):not(:last-child)]:flex-1 [&>div>button]:[&>:nth-child(2):not(:last-child)]:min-w-0 [&>div>button]:[&>:nth-child(2):not(:last-child)]:text-end [&>div>button]:[&>svg]:ms-auto [&>div>button]:[&>svg]:text-icon-quiet [&>div>[aria-expanded=true]>svg]:[transform:rotate(0.5turn)]">
      {children}
    </div>
  );
}

interface FoldProps {
  title: string;
  /** The content, in a few words. */
  value: ReactNode;
  /** True for a fold that must not be closed, because an error is inside. */
  isHeldOpen?: boolean;
  children: ReactNode;
}

/** A row that shows the value of its fields, and unfolds to change them. */
export function Fold({ title, value, isHeldOpen = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || isHeldOpen;
  const id = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <b className="type-strong">{title}</b>
        {!isShown && <span className="text-text-2 truncate">{value}</span>}
        <ChevronDown size={18} aria-hidden="true" />
      </button>
      <div
        id={id}
        className="[&:not([hidden])]:grid [&:not([hidden])]:grid-cols-1 [&:not([hidden])]:gap-4 [&:not([hidden])]:pt-1 [&:not([hidden])]:px-4 [&:not([hidden])]:pb-4"
        hidden={!isShown}
      >
        {children}
      </div>
    </div>
  );
}
