import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { IconTile } from './icon-tile.tsx';
import { Skeleton } from './skeleton.tsx';

interface TileProps {
  label: string;
  /** Formatted number; undefined while it is loading, which keeps its space. */
  value: string | undefined;
  hint?: ReactNode;
  icon: ReactNode;
  tone: 'primary' | 'success' | 'warning' | 'error';
  /** The list of the counted rows; makes the tile a link. */
  link?: LinkProps | undefined;
}

/** The look of a tile. The numbers of a row of tiles are aligned, even if a label or a hint needs two lines. */
const tile =
  'grid row-span-3 grid-rows-subgrid gap-y-0 pt-6 px-6 pb-5 rounded-card bg-paper shadow-card phone:p-4';

/** A figure and its name. With `link`, it links to the rows that it counts. */
export function Tile({ link, ...content }: TileProps) {
  if (!link) {
    return (
      <div className={tile}>
        <TileContent {...content} />
      </div>
    );
  }
  return (
    <Link {...link} className={tile}>
      <TileContent {...content} />
    </Link>
  );
}

function TileContent({ label, value, hint, icon, tone }: Omit<TileProps, 'link'>) {
  const { t } = useTranslation();
  const isSlow = useDelayed(value === undefined);
  return (
    <>
      <span className="flex items-start justify-between gap-2">
        <span className="text-text-2 type-strong [a:hover>span>&]:text-text">{label}</span>
        <IconTile
          tone={tone}
          className="-mt-2 -mr-1 -mb-2.5 ml-0 [&_svg]:w-5 [&_svg]:h-5 phone:hidden"
        >
          {icon}
        </IconTile>
      </span>
      <span className="min-h-10 mt-1 mx-0 mb-2 type-number tracking-[-0.02em]">
        {value}
        {isSlow && (
          <Skeleton width={72} height={24}>
            <span className="visually-hidden">{t('loading')}</span>
          </Skeleton>
        )}
      </span>
      <span className="text-text-2 type-caption min-h-4.5">{hint}</span>
    </>
  );
}
