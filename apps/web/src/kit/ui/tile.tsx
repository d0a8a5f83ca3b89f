import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { IconTile } from './icon-tile.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './tile.module.css';
import { Caption, Row, Strong } from './vocabulary.tsx';

interface TileProps {
  label: string;
  /** Formatted number; undefined while it is loading, which keeps its space. */
  value: string | undefined;
  hint?: ReactNode;
  icon: ReactNode;
  tone: 'primary' | 'success' | 'warning' | 'error';
  /** The list of what this number counts; makes the tile a link. */
  link?: LinkProps | undefined;
}

/** A number with its name, linked to the rows it counts where `link` is given. */
export function Tile({ link, ...content }: TileProps) {
  if (!link) {
    return (
      <div className={styles.tile}>
        <TileContent {...content} />
      </div>
    );
  }
  return (
    <Link {...link} className={styles.tile}>
      <TileContent {...content} />
    </Link>
  );
}

function TileContent({ label, value, hint, icon, tone }: Omit<TileProps, 'link'>) {
  const { t } = useTranslation();
  const isSlow = useDelayed(value === undefined);
  return (
    <>
      <Row as="span" align="start" gap={8} justify="between">
        <Strong as="span" muted className={styles.label}>
          {label}
        </Strong>
        <IconTile tone={tone} className={styles.icon}>
          {icon}
        </IconTile>
      </Row>
      <span className={styles.number}>
        {value}
        {isSlow && (
          <Skeleton width={72} height={24}>
            <span className="visually-hidden">{t('loading')}</span>
          </Skeleton>
        )}
      </span>
      <Caption className={styles.hint}>{hint}</Caption>
    </>
  );
}
