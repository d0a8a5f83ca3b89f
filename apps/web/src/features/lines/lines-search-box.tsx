import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../../shared/preferences.ts';
import { useSingleKey } from '../../shared/use-single-key.ts';
import styles from './toolbar.module.css';
import { useLinesSearch } from './use-lines-search.ts';

const TYPING_PAUSE_MS = 300;
const MAX_LENGTH = 100;

export function LinesSearchBox() {
  const { t } = useTranslation('lines');
  const { shortcuts } = usePreferences();
  const { text, setText } = useSearchText();
  const input = useRef<HTMLInputElement>(null);
  useSingleKey('/', () => input.current?.focus());
  return (
    <label className={styles.search}>
      <Search size={18} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={t('search')}
        aria-keyshortcuts={shortcuts ? '/' : undefined}
        placeholder={t('search')}
        value={text}
        maxLength={MAX_LENGTH}
        onChange={({ target }) => setText(target.value)}
      />
      {shortcuts && <kbd>/</kbd>}
    </label>
  );
}

/** What is typed goes into the address after a pause; what the address says comes back here. */
function useSearchText() {
  const { search, change } = useLinesSearch();
  const inAddress = search.q ?? '';
  const [text, setText] = useState(inAddress);
  const sent = useRef(inAddress);
  const send = useRef(change);
  useEffect(() => {
    send.current = change;
  });

  useEffect(() => {
    // Its own words coming back late must not undo what was typed since.
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    setText(inAddress);
  }, [inAddress]);

  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      void send.current({ q: text || undefined }, { replace: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText };
}
