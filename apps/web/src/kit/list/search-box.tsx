import { Search, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import { useListDefinition, useListSearch } from './use-list.ts';

const MAX_LENGTH = 100;
/** Letters from which the panel searches whole texts; with fewer it only compares the beginnings of names. */
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
    <div className="relative w-75 phone:flex-1 phone:w-auto phone:min-w-0 [&_kbd]:phone:hidden">
      <label
        className={`field-box flex items-center gap-2 h-10 px-3 type-entry-text phone:h-12 phone:px-2 ${text ? 'pe-10 phone:pe-10' : ''}`}
      >
        <Search size={18} />
        <input
          ref={input}
          type="search"
          // The placeholder is smaller than typed text, so that it fits into a phone.
          className="[appearance:none] phone:placeholder:text-[13px]"
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
        <span
          id={hintId}
          className="text-text-2 type-caption truncate flex-none max-w-[75%]"
          role="status"
        >
          {isShort && texts.searchIsShort}
        </span>
      </label>
      {text && (
        <button
          type="button"
          className="grid flex-none place-items-center absolute [inset-block:4px] end-1 w-8 rounded-control text-icon hover:bg-head phone:[inset-block:2px] phone:end-0.5 phone:w-11"
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
  const rested = useDebounced(text);
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
