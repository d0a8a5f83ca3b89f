import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type FieldPath, useFormState } from 'react-hook-form';
import { TypedText } from '#kit/ui/typed-text.tsx';
import type { EditLineValues, LineForm } from './edit-line-schema.ts';

interface FieldGroupProps {
  form: LineForm;
  names: readonly FieldPath<EditLineValues>[];
  title: string;
  /** A short summary of the values of its fields. */
  held: string;
  children: ReactNode;
}

/** A group of folded fields with a summary of their values. It unfolds if one of them has an error. */
export function FieldGroup({ form: { control }, names, title, held, children }: FieldGroupProps) {
  const { errors, submitCount } = useFormState({ control });
  const [isOpen, setOpen] = useState(false);
  const group = useRef<HTMLDetailsElement>(null);
  const isWrong = names.some((name) => name in errors);
  useEffect(() => {
    if (!isWrong) return;
    setOpen(true);
    // A folded field could not get the focus when the form set it, so it is set again.
    const hasFocus = document.activeElement?.getAttribute('aria-invalid') === 'true';
    const wrong = group.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!hasFocus && submitCount > 0) setTimeout(() => wrong?.focus());
  }, [isWrong, submitCount]);
  return (
    <details ref={group} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex items-center gap-2 min-h-13 pt-1 pr-3 pb-1 pl-4 rounded-pop list-none cursor-pointer">
        <span className="type-strong">{title}</span>
        <span className="flex-1 min-w-0 text-end text-text-2 truncate">
          <TypedText>{held}</TypedText>
        </span>
        <ChevronDown
          className="flex-none text-icon-quiet [details[open]>summary>&]:rotate-180"
          size={18}
          aria-hidden="true"
        />
      </summary>
      <div className="grid grid-cols-1 gap-6 pt-2 px-4 pb-5">{children}</div>
    </details>
  );
}
