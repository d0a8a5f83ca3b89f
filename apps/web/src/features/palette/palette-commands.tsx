import type { Line } from '@linekeeper/contract/lines.ts';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { FoundLines } from './found-lines.tsx';
import { LineActions } from './line-actions.tsx';
import styles from './palette.module.css';
import { PaletteHints } from './palette-hints.tsx';
import { PaletteStatus } from './palette-status.tsx';
import { placesNamed, usePlaces } from './places.ts';
import { useHighlight } from './use-highlight.ts';
import { useLineSearch } from './use-line-search.ts';

/** A stable function, so that the focus is taken once and not again after each key. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

export function PaletteCommands({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const search = useLineSearch(query);
  const { highlighted, chosen, ...highlight } = useHighlight(query, search.lines);

  const places = usePlaces();
  const named = placesNamed(places, query);
  // A query that finds lines need not name a place: all of them are then offered below the lines.
  const offered = named.length > 0 || search.lines.length === 0 ? named : places;
  const isNothingFound = search.lines.length === 0 && offered.length === 0;

  const goTo = (to: string) => {
    onClose();
    void navigate({ to });
  };
  const openLine = (line: Line) => {
    onClose();
    void navigate({ to: paths.lines(), search: { q: line.username } });
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
      <div className={styles.search}>
        <Search size={20} aria-hidden="true" />
        <Command.Input
          ref={takeFocus}
          value={typed}
          onValueChange={setTyped}
          placeholder={t('placeholder')}
          maxLength={100}
        />
        <button type="button" className={styles.close} onClick={onClose}>
          <kbd>{t('hints.esc')}</kbd>
          <span className="visually-hidden"> {t('hints.close')}</span>
        </button>
      </div>
      <PaletteStatus query={query} search={search} isNothingFound={isNothingFound} />
      <Command.List className={styles.list} label={t('results')}>
        <FoundLines lines={search.lines} query={query} chosen={chosen} onOpen={openLine} />
        {chosen && <LineActions line={chosen} onOpen={openLine} onClose={onClose} />}
        {offered.length > 0 && (
          <Command.Group heading={t('goTo')}>
            {offered.map(({ key, name, to, icon: Icon }) => (
              <Command.Item key={key} value={`place:${key}`} onSelect={() => goTo(to)}>
                <Icon size={20} aria-hidden="true" />
                <span className={styles.name}>{name}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
      <PaletteHints />
    </Command>
  );
}
