import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './all-renewed.module.css';
import { dueLinesQuery, useNextText } from './due-lines.ts';

interface AllRenewedProps {
  /** Which lines are due next. */
  next: string;
  /** The work that was done today. */
  summary?: ReactNode;
  action?: ReactNode;
  /** Above lines that are still to be renewed. */
  isShort?: boolean;
}

/** The end of a day's work. */
export function AllRenewed({ next, summary, action, isShort = false }: AllRenewedProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.panel} data-short={isShort || undefined} role="status">
      <span
        className={`grid place-items-center w-16 h-16 mb-3 rounded-[50%] bg-success-bg text-success-fg ${styles.icon}`}
        aria-hidden="true"
      >
        <Check size={isShort ? 20 : 32} strokeWidth={1.6} />
      </span>
      <div>
        <h2>{t('due.allRenewed')}</h2>
        <p className="text-text-2">{next}</p>
        {summary && <p className="text-text-2 type-caption">{summary}</p>}
      </div>
      {action}
    </div>
  );
}

/** Where a list of what expires soon is empty. */
export function NothingExpires() {
  const { data } = useQuery(dueLinesQuery());
  const nextText = useNextText();
  return <AllRenewed next={data ? nextText(data.items) : ''} />;
}
