import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { FoundLines } from './found-lines.tsx';
import { LineActions } from './line-actions.tsx';
import styles from './palette.module.css';
import { PaletteHints } from './palette-hints.tsx';
import { PaletteStatus } from './palette-status.tsx';
import { type Place, placesNamed, usePlaces } from './places.ts';
import { useHighlight } from './use-highlight.ts';
import { useLineSearch } from './use-line-search.ts';

/** Outside the component, because a new ref callback on each render would take the focus. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

interface PaletteCommandsProps {
  anchor: HTMLElement | null;
  /** `afterwards` runs once the palette has closed. */
  onClose: (afterwards?: () => void) => void;
  onShowShortcuts: () => void;
}

export function PaletteCommands({ anchor, onClose, onShowShortcuts }: PaletteCommandsProps) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const search = useLineSearch(query);
  const { highlighted, chosen, ...highlight } = useHighlight(query, search.lines);

  const places = usePlaces();
  const named = placesNamed(places, query);
  // A query that matches lines but no page shows all pages below the lines.
  const offered = named.length > 0 || search.lines.length === 0 ? named : places;
  const isNothingFound = search.lines.length === 0 && offered.length === 0;

  const goTo = (to: Place['path']) => {
    onClose();
    void navigate({ to });
  };
  // The key of their list, as everywhere: nothing that can be found begins with it.
  const listShortcuts = (event: KeyboardEvent) => {
    if (event.key !== '?' || typed !== '') return;
    event.preventDefault();
    onShowShortcuts();
  };
  const openLine = (line: Line) => {
    onClose();
    void navigate({ to: '/users/all', search: { q: line.username } });
  };
  return (
    <Command
      className={styles.palette}
      label={t('label')}
      shouldFilter={false}
      loop
      vimBindings={false}
      disablePointerSelection
      value={highlighted}
      onValueChange={highlight.onChange}
      onKeyDown={highlight.onKeyDown}
    >
      <Row gap={12} className={styles.search}>
        <Search size={20} aria-hidden="true" />
        <Command.Input
          ref={takeFocus}
          dir="auto"
          value={typed}
          onValueChange={setTyped}
          onKeyDown={listShortcuts}
          placeholder={t('placeholder')}
          maxLength={100}
        />
        <button type="button" className={styles.close} onClick={() => onClose()}>
          <kbd>{t('hints.esc')}</kbd>
          <span className="visually-hidden"> {t('hints.close')}</span>
        </button>
      </Row>
      <PaletteStatus query={query} search={search} isNothingFound={isNothingFound} />
      <Command.List className={styles.list} label={t('results')}>
        <FoundLines lines={search.lines} query={query} chosen={chosen} onOpen={openLine} />
        {chosen && (
          <LineActions line={chosen} anchor={anchor} onOpen={openLine} onClose={onClose} />
        )}
        {offered.length > 0 && (
          <Command.Group heading={t('goTo')}>
            {offered.map(({ path, name, icon: Icon }) => (
              <Command.Item key={path} value={`place:${path}`} onSelect={() => goTo(path)}>
                <Icon size={20} aria-hidden="true" />
                <span className={styles.name}>{name}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
      <PaletteHints onShowShortcuts={onShowShortcuts} />
    </Command>
  );
}
