import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinesSearch } from '../../shared/lines-search.ts';
import { paths } from '../../shared/paths.ts';
import { useDelayed } from '../../shared/use-delayed.ts';
import styles from './home-page.module.css';

interface TileProps {
  label: string;
  /** As it is shown; undefined while it is fetched, and its space is kept. */
  value: string | undefined;
  hint?: string | undefined;
  icon: ReactNode;
  tone: 'primary' | 'success' | 'warning' | 'error';
  /** Which lines it counts: it links to them. */
  search?: LinesSearch;
}

/** One number; as a link it leads to what has been counted. */
export function Tile({ search, ...content }: TileProps) {
  if (!search) {
    return (
      <div className={styles.tile}>
        <TileContent {...content} />
      </div>
    );
  }
  return (
    <Link to={paths.lines()} search={search} className={styles.tile}>
      <TileContent {...content} />
    </Link>
  );
}

function TileContent({ label, value, hint, icon, tone }: Omit<TileProps, 'search'>) {
  const { t } = useTranslation();
  const isSlow = useDelayed(value === undefined);
  return (
    <>
      <span className={styles.top}>
        <span className={styles.label}>{label}</span>
        <span className={styles.icon} data-tone={tone} aria-hidden="true">
          {icon}
        </span>
      </span>
      <span className={styles.number}>
        {value}
        {isSlow && (
          <span className={styles.skeleton}>
            <span className="visually-hidden">{t('loading')}</span>
          </span>
        )}
      </span>
      <span className={styles.hint}>{hint}</span>
    </>
  );
}
