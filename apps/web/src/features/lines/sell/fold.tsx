import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

/** A frame around folded rows of fields that are rarely changed. */
export function Folds({ children }: { children: ReactNode }) {
  return <div className="divided border border-divider rounded-[12px]">{children}</div>;
}

interface FoldProps {
  title: string;
  /** The values inside the folded part, in a few words. */
  value: ReactNode;
  /** True for a fold that must stay open, because it has an error inside. */
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
        className="flex w-full items-center gap-2 min-h-13 pt-1 pr-3 pb-1 pl-4 rounded-[12px]"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <b className="flex-none type-strong">{title}</b>
        {!isShown && <span className="flex-1 min-w-0 text-end text-text-2 truncate">{value}</span>}
        <ChevronDown
          className={`ms-auto text-icon-quiet ${isShown ? 'rotate-180' : ''}`}
          size={18}
          aria-hidden="true"
        />
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

/** A row that looks like a folded one, for a value that cannot be changed. */
export function FixedRow({ title, value }: Pick<FoldProps, 'title' | 'value'>) {
  return (
    <p className="flex items-center gap-2 min-h-13 py-1 px-4">
      <b className="flex-none type-strong">{title}</b>
      <span className="flex-1 min-w-0 text-end text-text-2 wrap-anywhere">{value}</span>
    </p>
  );
}
