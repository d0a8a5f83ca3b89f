import { Download, EllipsisVertical } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';

/** Fetched when they are first asked for: the list itself is to be light. */
const ExportNow = lazy(async () => ({
  default: (await import('./bulk/export-now.tsx')).ExportNow,
}));
const ListMenuItems = lazy(async () => ({
  default: (await import('./bulk/list-menu-items.tsx')).ListMenuItems,
}));

/** What concerns the list as a whole: files in and out, and what was done to many lines. */
export function ListMenu() {
  const { t } = useTranslation('lines');
  const [orders, setOrders] = useState(0);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isWanted, setWanted] = useState(false);
  return (
    <>
      <span className="only-wide">
        <Button icon={<Download aria-hidden="true" />} onClick={() => setOrders(orders + 1)}>
          {t('downloadCsv')}
        </Button>
      </span>
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
      {orders > 0 && (
        <Suspense>
          <ExportNow orders={orders} />
        </Suspense>
      )}
      {isWanted && (
        <Suspense>
          <ListMenuItems anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
