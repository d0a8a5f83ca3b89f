import { Search, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { Caption, Row } from '#kit/ui/vocabulary.tsx';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import styles from './search-box.module.css';
import { useListDefinition, useListSearch } from './use-list.ts';

const TYPING_PAUSE_MS = 300;
const MAX_LENGTH = 100;
/** With fewer letters the panel only compares the beginnings of names. */
const LETTERS_TO_SEARCH_ALL = 3;

export function SearchBox() {
  const { t } = useTranslation();
  const texts = useListDefinition().useTexts();
  const { shortcuts } = usePreferences();
  const { text, setText } = useSearchText();
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  useSingleKey('/', () => input.current?.focus());
  const letters = text.trim().length;
  const isShort = texts.searchIsShort && letters > 0 && letters < LETTERS_TO_SEARCH_ALL;
  const clear = () => {
    setText('');
    input.current?.focus();
  };
  return (
    <div className={styles.search} data-filled={text ? true : undefined}>
      <Row as="label" gap={8} className="field-box">
        <Search size={18} />
        <input
          ref={input}
          type="search"
          dir="auto"
          aria-label={texts.search}
          aria-keyshortcuts={shortcuts ? '/' : undefined}
          aria-describedby={hintId}
          placeholder={texts.search}
          value={text}
          maxLength={MAX_LENGTH}
          onChange={({ target }) => setText(target.value)}
        />
        {shortcuts && !text && <kbd>/</kbd>}
        <Caption id={hintId} cut className={styles.hint} role="status">
          {isShort && texts.searchIsShort}
        </Caption>
      </Row>
      {text && (
        <button
          type="button"
          className={`centred ${styles.clear}`}
          aria-label={t('list.clearSearch')}
          onClick={clear}
        >
          <X size={16} />
        </button>
      )}
    </div>
  );
}

/** Writes the typed text to the address after a pause, and follows changes of the address. */
function useSearchText() {
  const { search, change } = useListSearch();
  const inAddress = search.q ?? '';
  const [text, setText] = useState(inAddress);
  const rested = useDebounced(text, TYPING_PAUSE_MS);
  const sent = useRef(inAddress);
  const send = useRef(change);
  useEffect(() => {
    send.current = change;
  });

  useEffect(() => {
    // Ignores the echo of its own change, which would overwrite newer input.
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    setText(inAddress);
  }, [inAddress]);

  useEffect(() => {
    if (rested !== text || rested === sent.current) return;
    sent.current = rested;
    void send.current({ q: rested || undefined }, { replace: true });
  }, [rested, text]);
  return { text, setText };
}
