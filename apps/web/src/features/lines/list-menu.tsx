import { EllipsisVertical } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../shared/ui/icon-button.tsx';

const ListMenuItems = lazy(async () => ({
  default: (await import('./bulk/list-menu-items.tsx')).ListMenuItems,
}));

/** What concerns the list as a whole: files in and out, and what was done to many lines. */
export function ListMenu() {
  const { t } = useTranslation('lines');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isWanted, setWanted] = useState(false);
  return (
    <>
      <IconButton
        label={t('moreActions')}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        onClick={({ currentTarget }) => {
          setWanted(true);
          setAnchor(currentTarget);
        }}
      >
        <EllipsisVertical size={20} aria-hidden="true" />
      </IconButton>
      {isWanted && (
        <Suspense>
          <ListMenuItems anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
