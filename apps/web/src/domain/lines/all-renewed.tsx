import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dueLinesQuery, useNextText } from './due-lines.ts';

interface AllRenewedProps {
  /** The sentence about the lines that are due next. */
  next: string;
  /** A summary of the work that was done today. */
  summary?: ReactNode;
  action?: ReactNode;
  /** True for a message above lines that are still to be renewed. */
  isShort?: boolean;
}

const WHOLE =
  'justify-items-center gap-1 pt-10 px-6 pb-8 text-center [&>:is(a,button)]:max-w-full [&>:is(a,button)]:mt-5 [&>:is(a,button)]:whitespace-normal phone:px-4';
const SHORT =
  'grid-cols-[auto_minmax(0,1fr)_auto] items-center justify-items-start gap-x-4 gap-y-2 pt-5 px-(--card-pad) [&>:is(a,button)]:max-w-full [&>:is(a,button)]:whitespace-normal phone:grid-cols-[auto_minmax(0,1fr)] phone:[&>:is(a,button)]:col-span-full';

/** The message that replaces the list of expiring lines once all of them are renewed. */
export function AllRenewed({ next, summary, action, isShort = false }: AllRenewedProps) {
  const { t } = useTranslation();
  return (
    <div className={`grid ${isShort ? SHORT : WHOLE}`} role="status">
      <span
        className={`grid place-items-center rounded-[50%] bg-success-bg text-success-fg ${isShort ? 'w-10 h-10' : 'w-16 h-16 mb-3'}`}
        aria-hidden="true"
      >
        <Check size={isShort ? 20 : 32} strokeWidth={1.6} />
      </span>
      <div className={`grid ${isShort ? '' : 'gap-1'}`}>
        <h2
          className={`tracking-[-0.01em] ${isShort ? 'type-[600_16px/24px_var(--font)]' : 'type-[700_24px/36px_var(--font)]'}`}
        >
          {t('due.allRenewed')}
        </h2>
        <p className="text-text-2">{next}</p>
        {summary && <p className="text-text-2 type-caption">{summary}</p>}
      </div>
      {action}
    </div>
  );
}

/** The message that replaces the list of expiring lines if there are none. */
export function NothingExpires() {
  const { data } = useQuery(dueLinesQuery());
  const nextText = useNextText();
  return <AllRenewed next={data ? nextText(data.items) : ''} />;
}
