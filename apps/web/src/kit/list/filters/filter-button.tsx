import { ListFilter, SlidersHorizontal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListDefinition, useListSearch } from '#kit/list/use-list.ts';
import { Drawer, Popover } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { chipsOf } from '#screens/address.ts';

const FilterPanel = lazyPart(() => import('./filter-panel.tsx'), 'FilterPanel', {
  // The placeholder is as high as the loaded panel, because a popover calculates its position only once.
  before: () => <div className="w-100 max-w-full h-160" />,
});

function fetchPanel(): void {
  Popover.fetch();
  FilterPanel.fetch();
}

const BUTTON_ID = 'list-filter';

/** Focuses the filter button, after a button that removed a filter has disappeared with its chip. */
export function focusFilterButton(): void {
  document.getElementById(BUTTON_ID)?.focus();
}

const GAP = 8;
const MIN_HEIGHT = 320;

/** Height below the button for the panel, with a usable minimum in a low window. */
function heightBelow(button: HTMLElement): number {
  const { bottom } = button.getBoundingClientRect();
  return Math.max(window.innerHeight - bottom - 3 * GAP, MIN_HEIGHT);
}

/** Opens the filter panel in a popover; on a phone in a bottom sheet. */
export function FilterButton() {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { declaration, useTexts } = useListDefinition();
  const { search } = useListSearch();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [wasOpened, setOpened] = useState(false);
  const [availableHeight, setAvailableHeight] = useState(0);
  useEffect(() => prefetchOnceUsed([fetchPanel]), []);
  const open = (button: HTMLElement) => {
    setAvailableHeight(heightBelow(button));
    setOpened(true);
    setAnchor(button);
  };
  const close = () => setAnchor(null);
  const applied = chipsOf(declaration, search).length;
  const panel = <FilterPanel onClose={close} />;
  const label = useTexts().filterTitle;
  return (
    <>
      <Button
        id={BUTTON_ID}
        icon={isPhone ? <SlidersHorizontal /> : <ListFilter />}
        aria-label={isPhone ? t('list.filter.applied', { count: applied }) : undefined}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={fetchPanel}
        onFocus={fetchPanel}
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        {isPhone ? applied || null : t('list.filter.open')}
      </Button>
      {isPhone ? (
        wasOpened && (
          <Drawer side="bottom" open={anchor !== null} onClose={close} aria-label={label}>
            {panel}
          </Drawer>
        )
      ) : (
        <Popover
          anchor={anchor}
          gap={8}
          aria-label={label}
          style={{ maxHeight: availableHeight }}
          onClose={close}
        >
          {panel}
        </Popover>
      )}
    </>
  );
}
