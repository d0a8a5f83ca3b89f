import Popover from '@mui/material/Popover';
import { ListFilter, SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import panelStyles from './filter-panel.module.css';
import { chipNames } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';

/** A sheet for phones: other screens need not fetch it. */
const Drawer = lazy(() => import('@mui/material/Drawer'));
const FilterPanel = lazy(async () => ({
  default: (await import('./filter-panel.tsx')).FilterPanel,
}));
const BUTTON_ID = 'lines-filter';

/** Where the focus goes when the button that took a filter away is gone with it. */
export function focusFilterButton(): void {
  document.getElementById(BUTTON_ID)?.focus();
}

const GAP = 8;
const LEAST_ROOM = 320;

/** How high the panel may be without covering its button; in a very low window it may. */
function roomBelow(button: HTMLElement | null): number {
  const bottom = button?.getBoundingClientRect().bottom ?? 0;
  return Math.max(window.innerHeight - bottom - 3 * GAP, LEAST_ROOM);
}

/** Opens the filters: below the button, on a phone as a sheet from the bottom. */
export function FilterButton() {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const { search } = useLinesSearch();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [room, setRoom] = useState(0);
  const open = () => {
    setRoom(roomBelow(button.current));
    setOpened(true);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const applied = chipNames(search).length;
  const panel = (
    // As high as what comes: a popover finds its place once.
    <Suspense fallback={<div className={panelStyles.room} />}>
      <FilterPanel onClose={close} />
    </Suspense>
  );
  const label = t('filter.title');
  return (
    <>
      <Button
        ref={button}
        id={BUTTON_ID}
        icon={
          isPhone ? <SlidersHorizontal aria-hidden="true" /> : <ListFilter aria-hidden="true" />
        }
        aria-label={isPhone ? t('filter.applied', { count: applied }) : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        {isPhone ? applied || null : t('filter.open')}
      </Button>
      {isPhone ? (
        wasOpened && (
          <Suspense>
            <Drawer
              anchor="bottom"
              open={isOpen}
              onClose={close}
              slotProps={{
                paper: {
                  role: 'dialog',
                  'aria-label': label,
                  sx: { maxHeight: '92vh', borderRadius: '16px 16px 0 0' },
                },
              }}
            >
              {panel}
            </Drawer>
          </Suspense>
        )
      ) : (
        <Popover
          open={isOpen}
          onClose={close}
          anchorEl={() => button.current}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{
            paper: { role: 'dialog', 'aria-label': label, sx: { mt: 1, maxHeight: room } },
          }}
        >
          {panel}
        </Popover>
      )}
    </>
  );
}
