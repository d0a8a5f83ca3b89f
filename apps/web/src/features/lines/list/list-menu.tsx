import { Download, EllipsisVertical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListSearch } from '../../../shared/list/use-list.ts';
import { prefetchOnceUsed } from '../../../shared/start/later.tsx';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../../shared/ui/buttons/icon-button.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { downloadLines } from './download-lines.ts';

/** Loaded on first use to keep the list itself small. */
const ListMenuItems = lazyComponent(
  async () => (await import('./list-menu-items.tsx')).ListMenuItems,
  {
    isOpen: ({ anchor }) => anchor,
    texts: 'bulk',
  },
);

/** Menu of actions on the whole list: import, export and recent jobs. */
export function ListMenu() {
  const { t } = useTranslation('lines');
  const needsConnection = useNeedsConnection();
  const { search } = useListSearch();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => prefetchOnceUsed([ListMenuItems.fetch]), []);
  return (
    <>
      <span className="only-wide">
        <Button
          icon={<Download aria-hidden="true" />}
          blocked={needsConnection}
          onClick={() => downloadLines(search)}
        >
          {t('downloadCsv')}
        </Button>
      </span>
      <IconButton
        label={t('moreActions')}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        onPointerEnter={ListMenuItems.fetch}
        onFocus={ListMenuItems.fetch}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <EllipsisVertical size={20} aria-hidden="true" />
      </IconButton>
      <ListMenuItems anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
