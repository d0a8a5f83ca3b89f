import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

interface AccessCardProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A card about a kind of access to the account, such as its sessions or its keys. */
export function AccessCard({ title, text, action, children }: AccessCardProps) {
  return (
    <Card flush>
      <div className="flex flex-wrap items-start justify-between gap-y-2 gap-x-4 pt-(--card-pad) px-(--card-pad) pb-2 [&>div]:flex-[1_1_200px] [&>div]:min-w-0 [&_h2]:tracking-[-0.005em]">
        <div>
          <h2>{title}</h2>
          {text && <p className="text-text-2">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </Card>
  );
}

export function AccessRows({ children }: { children: ReactNode }) {
  return (
    <ul className="divided pt-0 px-0 pb-2 [&>li]:flex [&>li]:items-center [&>li]:gap-4 [&>li]:min-h-16 [&>li]:py-2 [&>li]:px-(--card-pad) [&>li>button]:flex-none phone:[&>li]:gap-3">
      {children}
    </ul>
  );
}

interface AccessRowProps {
  icon: LucideIcon;
  name: string;
  text: ReactNode;
  /** The buttons of the card. */
  children: ReactNode;
}

export function AccessRow({ icon: Icon, name, text, children }: AccessRowProps) {
  return (
    <li>
      <span
        className="flex-none text-text-2 grid place-items-center w-8 h-8 rounded-[8px] bg-head"
        aria-hidden="true"
      >
        <Icon size={16} />
      </span>
      <span className="flex-1 min-w-0 wrap-anywhere [&_b]:block [&_b]:type-strong">
        <b>
          <TypedText>{name}</TypedText>
        </b>
        <span className="text-text-2 type-caption">{text}</span>
      </span>
      {children}
    </li>
  );
}
