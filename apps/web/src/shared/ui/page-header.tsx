import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../use-document-title.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  back?: { to: string; label: string };
  actions?: ReactNode;
}

/** The screen's one h1; the window's title follows it. */
export function PageHeader({ title, back, actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.header}>
      <div className={styles.titles}>
        {back && (
          <Link to={back.to} className={styles.back}>
            <ChevronLeft size={16} aria-hidden="true" />
            {back.label}
          </Link>
        )}
        <h1>{title}</h1>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
