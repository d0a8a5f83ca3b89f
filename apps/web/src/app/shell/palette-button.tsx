import { Search } from 'lucide-react';
import {
  type Dispatch,
  type SetStateAction,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { tinykeys } from 'tinykeys';
import type { PaletteProps } from '#features/palette/palette.tsx';
import { CONTROL_KEY, useControlKey } from '#platform/browser/control-key.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const Palette = lazyPart(() => import('#features/palette/palette.tsx'), 'Palette', {
  texts: 'palette',
});

export interface PaletteButtonProps extends Pick<PaletteProps, 'open' | 'onShowShortcuts'> {
  setOpen: Dispatch<SetStateAction<boolean>>;
}

/** The search box is hidden while the header shows a result. */
const BESIDE_RESULT =
  '[header:has([role=status]>*)>&]:overflow-hidden [header:has([role=status]>*)>&]:whitespace-nowrap tablet:[header:has([role=status]>*)>&]:absolute tablet:[header:has([role=status]>*)>&]:invisible';

/**
 * The search box in the header. Opens the palette, whose code is loaded on first use. A phone has no
 * room for the box; there the palette is opened from the navigation.
 */
export function PaletteButton(props: PaletteButtonProps) {
  const { open, setOpen, onShowShortcuts } = props;
  const { t } = useTranslation();
  const control = useControlKey();
  const box = useRef<HTMLButtonElement>(null);
  // The search box, once the palette was opened: a state that is set when the box is attached would
  // make React run all effects of the first screen in the task that puts it into the page.
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // The keys work as soon as the box is visible.
  useLayoutEffect(
    () =>
      tinykeys(window, {
        '$mod+KeyK': (event) => {
          event.preventDefault();
          setOpen((wasOpen) => !wasOpen);
        },
      }),
    [setOpen],
  );
  useEffect(() => prefetchOnceUsed([Palette.fetch]), []);
  useEffect(() => {
    if (open) setAnchor(box.current);
  }, [open]);
  return (
    <>
      <button
        ref={box}
        type="button"
        className={`flex items-center border border-divider-strong rounded-control bg-paper gap-2 w-80 min-w-0 h-10 pt-0 pr-2 pb-0 pl-3 text-text-2 phone:hidden ${BESIDE_RESULT}`}
        aria-haspopup="dialog"
        aria-keyshortcuts={`${CONTROL_KEY}+K`}
        onClick={() => setOpen(true)}
      >
        <Search size={18} />
        <span className="truncate">{t('header.search')}</span>
        <kbd className="flex-none ms-auto">{control} K</kbd>
      </button>
      {anchor && (
        <Palette
          open={open}
          anchor={anchor}
          onClose={() => setOpen(false)}
          onShowShortcuts={onShowShortcuts}
        />
      )}
    </>
  );
}
