import type { UseQueryResult } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
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

interface AccessListProps<Item> {
  query: Pick<UseQueryResult<readonly Item[]>, 'data' | 'error' | 'refetch'>;
  /** The text that is shown if there are no rows. */
  none?: string;
  children: (item: Item) => ReactNode;
}

/** The rows of a card, the text that there are none, or the error. */
export function AccessList<Item>({ query, none, children }: AccessListProps<Item>) {
  const { data, error, refetch } = query;
  if (!data) return error && <FailedPanel error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return none && <AccessText>{none}</AccessText>;
  return (
    <ul className="divided pt-0 px-0 pb-2 [&>li]:flex [&>li]:items-center [&>li]:gap-4 [&>li]:min-h-16 [&>li]:py-2 [&>li]:px-(--card-pad) [&>li>button]:flex-none phone:[&>li]:gap-3">
      {data.map(children)}
    </ul>
  );
}

export function AccessText({ children }: { children: string }) {
  return (
    <p className="pt-0 px-(--card-pad) pb-(--card-pad) text-text-2 wrap-anywhere">{children}</p>
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
