import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Muted, Strong } from '#kit/ui/vocabulary.tsx';
import styles from './fold.module.css';

/** Rows of what is rarely changed, one below the other in a frame. */
export function Folds({ children }: { children: ReactNode }) {
  return <div className={styles.folds}>{children}</div>;
}

interface FoldProps {
  title: string;
  /** The content, in a few words. */
  value: ReactNode;
  /** True for a fold that must not be closed, because an error is inside. */
  isHeldOpen?: boolean;
  children: ReactNode;
}

/** A row that shows what is inside of it, and opens to change it. */
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
        <Strong>{title}</Strong>
        {!isShown && <Muted cut>{value}</Muted>}
        <ChevronDown size={18} aria-hidden="true" />
      </button>
      <div id={id} className={styles.inside} hidden={!isShown}>
        {children}
      </div>
    </div>
  );
}
