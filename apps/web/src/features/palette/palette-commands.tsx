import { formatDay } from '@linekeeper/contract/dates.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { ArrowDown, ArrowUp, CircleAlert, type LucideIcon, Route, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestLineFocus } from '#domain/lines/line-link.tsx';
import { useIsLinePage, useOpenLine } from '#domain/lines/line-place.ts';
import { StatusBadge } from '#domain/lines/status.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useDebounced, useDelayed } from '#platform/browser/use-delayed.ts';
import { windowHasLinePanel } from '#platform/browser/use-is-phone.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { isOffered } from '#screens/access.ts';
import { isSeller } from '#screens/places.ts';
import { iconFor } from '#screens/screen-icons.ts';
import { type AnyScreen, type ScreenName, screens } from '#screens/screens.ts';
import { ITEM, LineActions } from './line-actions.tsx';

/** A function outside the component, because a new ref callback on each render would take the focus. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

const HEADINGS =
  '[&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-text-2 [&_[cmdk-group-heading]]:type-[600_12px/18px_var(--font)] [&_[cmdk-group-heading]]:wrap-anywhere';

interface PaletteCommandsProps {
  anchor: HTMLElement | null;
  /** `afterwards` runs once the palette has closed. */
  onClose: (afterwards?: () => void) => void;
  onShowShortcuts: () => void;
}

export function PaletteCommands({ anchor, onClose, onShowShortcuts }: PaletteCommandsProps) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const { open: show } = useOpenLine();
  const isPage = useIsLinePage();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const search = useLineSearch(query);
  const { highlighted, chosen, ...highlight } = useHighlight(query, search.lines);
  const holdBack = useHeldKeys(search.isSearching);

  const places = usePlaces();
  const named = placesNamed(places, query);
  // A query that matches lines but no page shows all pages below the lines.
  const offered = named.length > 0 || search.lines.length === 0 ? named : places;
  const isNothingFound = search.lines.length === 0 && offered.length === 0;

  const goTo = (to: Place['path']) => {
    onClose();
    void navigate({ to });
  };
  // The key that opens the list of shortcuts on every page; no search text begins with it.
  const listShortcuts = (event: KeyboardEvent) => {
    if (event.key !== '?' || typed !== '') return;
    event.preventDefault();
    onShowShortcuts();
  };
  const openLine = ({ id }: Line) => {
    // The palette returns the focus to its former place, and then the panel takes it.
    onClose(() => !isPage && windowHasLinePanel() && requestLineFocus(id));
    void show(id);
  };
  return (
    <Command
      className="flex flex-col min-h-0 phone:flex-col-reverse phone:flex-1 phone:pb-[env(safe-area-inset-bottom)] [&_kbd]:inline-block"
      label={t('header.search')}
      shouldFilter={false}
      loop
      vimBindings={false}
      disablePointerSelection
      value={highlighted}
      onValueChange={highlight.onChange}
      onKeyDown={(event) => {
        if (!holdBack(event)) highlight.onKeyDown(event);
      }}
    >
      <div className="flex items-center gap-3 flex-none h-16 py-0 px-5 border-b border-b-divider phone:[padding-inline:16px_8px] phone:[border-block:1px_solid_var(--color-divider)] phone:border-b-0 [&>svg]:text-icon">
        <Search size={20} />
        <Command.Input
          ref={takeFocus}
          className="flex-1 min-w-0 h-full p-0 border-0 [outline:0] bg-transparent type-input-mobile text-ellipsis"
          dir="auto"
          value={typed}
          onValueChange={setTyped}
          onKeyDown={listShortcuts}
          placeholder={t('placeholder')}
          maxLength={100}
        />
        <button
          type="button"
          className={`relative flex-none rounded-[6px] after:content-[''] after:absolute after:-inset-3 phone:grid phone:place-items-center phone:w-11 phone:h-11 phone:text-icon phone:[&>kbd]:hidden phone:after:inset-0 above-phone:[&>svg]:hidden`}
          onClick={() => onClose()}
        >
          <kbd>{t('hints.esc')}</kbd>
          <X size={24} strokeWidth={1.6} />
          <span className="visually-hidden"> {t('hints.close')}</span>
        </button>
      </div>
      <PaletteStatus query={query} search={search} isNothingFound={isNothingFound} />
      <Command.List
        className={`flex-1 min-h-0 max-h-130 p-2 overflow-y-auto phone:max-h-none ${HEADINGS}`}
        label={t('results')}
      >
        <FoundLines lines={search.lines} query={query} chosen={chosen} onOpen={openLine} />
        {chosen && (
          <LineActions line={chosen} anchor={anchor} onOpen={openLine} onClose={onClose} />
        )}
        {offered.length > 0 && (
          <Command.Group heading={t('goTo')}>
            {offered.map(({ path, name, icon: Icon }) => (
              <Command.Item
                key={path}
                className={ITEM}
                value={`place:${path}`}
                onSelect={() => goTo(path)}
              >
                <Icon size={20} />
                <span className="flex-1 min-w-0 truncate">{name}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
      <PaletteHints onShowShortcuts={onShowShortcuts} />
    </Command>
  );
}

/** Keyboard hints, hidden on devices without a keyboard. */
function PaletteHints({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const { t } = useTranslation('palette');
  return (
    <div className="flex items-center gap-4 flex-none text-text-2 type-caption only-wide py-3 px-5 border-t border-t-divider [&_kbd]:me-1 [&_svg]:inline [&_svg]:[vertical-align:-1px]">
      <span aria-hidden="true">
        <kbd>
          <ArrowUp size={12} strokeWidth={2.25} />
        </kbd>
        <kbd>
          <ArrowDown size={12} strokeWidth={2.25} />
        </kbd>
        {t('hints.move')}
      </span>
      <span aria-hidden="true">
        <kbd>{t('hints.enter')}</kbd>
        {t('hints.open')}
      </span>
      <button
        type="button"
        className="-my-2 [margin-inline:auto_-8px] p-2 rounded-control text-inherit type-[inherit] hover:bg-hover"
        onClick={onShowShortcuts}
      >
        <kbd>?</kbd>
        {t('hints.shortcuts')}
      </button>
    </div>
  );
}

interface Place {
  path: AnyScreen['path'];
  name: string;
  icon: LucideIcon;
}

/** The screens that the account may open, with translated names. */
function usePlaces(): Place[] {
  const { t } = useTranslation('palette');
  const me = useMe();
  return (Object.keys(screens) as ScreenName[]).flatMap((screenName) => {
    const screen: AnyScreen = screens[screenName];
    const { path, forSellers, isPlaceOfAdmins } = screen;
    const placeText = (isSeller(me) && forSellers?.menuText) || screen.placeText;
    const icon = iconFor(screenName, me);
    const isListed = me.is_admin || !isPlaceOfAdmins;
    return icon && placeText && isListed && isOffered(screen, me)
      ? [{ path, icon, name: t(placeText) }]
      : [];
  });
}

/** Removes accents and case, so that "ubersicht" matches "Übersicht". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function placesNamed(all: readonly Place[], query: string): readonly Place[] {
  return all.filter(({ name }) => plain(name).includes(plain(query)));
}

interface FoundLinesProps {
  lines: readonly Line[];
  query: string;
  chosen: Line | undefined;
  onOpen: (line: Line) => void;
}

function FoundLines({ lines, query, chosen, onOpen }: FoundLinesProps) {
  const { t } = useTranslation('palette');
  if (lines.length === 0) return null;
  return (
    <Command.Group heading={t('nav.lines')}>
      {lines.map((line) => (
        <Command.Item
          key={line.id}
          className={ITEM}
          value={lineValue(line)}
          // The first click selects a line and shows its actions. With the keyboard the line is
          // already selected, so Enter opens it.
          onSelect={() => line.id === chosen?.id && onOpen(line)}
        >
          <Route size={20} />
          <span className="flex-1 min-w-0 truncate">
            <b className="type-strong">
              <Highlight text={line.username} part={query} />
            </b>
            {line.name && (
              <>
                {' '}
                <span className="text-text-2 [[data-selected=true]_&]:text-neutral-fg">
                  <Highlight text={line.name} part={query} />
                </span>
              </>
            )}
          </span>
          <StatusBadge line={line} />
          <span className="type-caption only-wide text-text-2 [[data-selected=true]_&]:text-neutral-fg">
            {formatDay(line.expiry_date)}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

interface PaletteStatusProps {
  query: string;
  search: ReturnType<typeof useLineSearch>;
  isNothingFound: boolean;
}

function PaletteStatus(props: PaletteStatusProps) {
  return (
    <div role="status">
      <StatusText {...props} />
    </div>
  );
}

function StatusText({ query, search, isNothingFound }: PaletteStatusProps) {
  const { t } = useTranslation('palette');
  const errorText = useErrorText();
  const { lines, isSearching, error } = search;
  const isSlow = useDelayed(isSearching);
  // A failed search must not be reported as "nothing found".
  if (error) {
    return (
      <p className="flex items-center gap-3 text-error-fg pt-4 px-5 pb-2">
        <CircleAlert size={20} />
        {t('searchFailed', { reason: errorText(error) })}
      </p>
    );
  }
  if (isSearching)
    return (
      isSlow && (
        <p className="flex items-center gap-3 text-text-2 pt-4 px-5 pb-2">{t('searching')}</p>
      )
    );
  if (isNothingFound)
    return (
      <p className="flex items-center gap-3 text-text-2 pt-4 px-5 pb-2">
        {t('nothingFound', { query })}
      </p>
    );
  if (lines.length === 0) return null;
  return <span className="visually-hidden">{t('found', { count: lines.length })}</span>;
}

/**
 * Holds back keys that are pressed before the results of the typed text arrive, because they are meant for those
 * results. Enter waits only after an arrow key; alone it opens the highlighted item.
 */
function useHeldKeys(isWaiting: boolean) {
  const held = useRef<string[]>([]);
  const input = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (isWaiting) return;
    const next = () => {
      const key = held.current.shift();
      if (key === undefined) return;
      input.current?.dispatchEvent(
        new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
      // Each key is handled in a later frame, because it continues from the result of the one before.
      frame = requestAnimationFrame(next);
    };
    let frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [isWaiting]);
  /** True if the key was held back. */
  return (event: KeyboardEvent<HTMLElement>): boolean => {
    const { key, target } = event;
    const isMeant =
      key === 'ArrowDown' || key === 'ArrowUp' || (key === 'Enter' && held.current.length > 0);
    if (!isWaiting || !isMeant) return false;
    event.preventDefault();
    input.current = target as HTMLElement;
    held.current.push(key);
    return true;
  };
}

const DEBOUNCE_MS = 200;
const MOST_SHOWN = 5;

interface LineSearch {
  lines: readonly Line[];
  /** True while the shown results may still change. */
  isSearching: boolean;
  error: Error | null;
}

const noLines: readonly Line[] = [];

/** The lines that match, if the account may see lines. Earlier results stay until the next ones arrive. */
function useLineSearch(query: string): LineSearch {
  const maySearch = useCan(listLines.access);
  const q = useDebounced(query, DEBOUNCE_MS);
  const isAsked = maySearch && query !== '';
  const search = useQuery(
    callQuery('lines', listLines, {
      query: { q, limit: MOST_SHOWN },
      enabled: isAsked && q !== '',
      placeholderData: keepPreviousData,
    }),
  );
  return {
    lines: isAsked ? (search.data?.items ?? noLines) : noLines,
    isSearching: isAsked && (q !== query || search.isFetching),
    error: isAsked ? search.error : null,
  };
}

const LINE = 'line:';
const movingKeys = /^(Arrow|Home|End)/;

/** The value by which a line is identified among the items of the list. */
function lineValue(line: Line): string {
  return LINE + line.id;
}

/**
 * Tracks the highlighted item, on which Enter acts, and the selected line. The selected line is the
 * last one highlighted, so it stays selected while the highlight moves through its actions.
 */
function useHighlight(query: string, lines: readonly Line[]) {
  const [highlighted, setHighlighted] = useState('');
  const [chosenValue, setChosenValue] = useState('');
  const hasMoved = useRef(false);
  const first = lines[0] && lineValue(lines[0]);

  const onChange = (value: string) => {
    setHighlighted(value);
    if (value.startsWith(LINE)) setChosenValue(value);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query resets the highlight
  useEffect(() => {
    hasMoved.current = false;
  }, [query]);

  useEffect(() => {
    if (first) setChosenValue(first);
  }, [first]);

  // The first line is highlighted unless the user has moved the highlight. The list component
  // highlights whichever item renders first, which may be a page if the lines arrive later.
  useEffect(() => {
    if (first && !hasMoved.current && !highlighted.startsWith(LINE)) setHighlighted(first);
  }, [first, highlighted]);

  return {
    highlighted,
    chosen: lines.find((line) => lineValue(line) === chosenValue) ?? lines[0],
    onChange,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (movingKeys.test(key)) hasMoved.current = true;
    },
  };
}
