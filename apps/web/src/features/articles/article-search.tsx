import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../../shared/browser/use-debounced.ts';
import { usePreferences } from '../../shared/data/preferences.ts';
import { useReader } from '../../shared/data/session.ts';
import { useDocumentTitle } from '../../shared/layout/use-screen.ts';
import { Card } from '../../shared/ui/card.tsx';
import { useSingleKey } from '../../shared/ui/use-single-key.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './articles.module.css';

const TYPING_PAUSE_MS = 300;
const MAX_LENGTH = 100;
const topics = ['notOnServer', 'renew', 'credits', 'backup'] as const;

/** Writes the typed text to the address after a pause, and follows changes of the address. */
function useSought() {
  const navigate = useNavigate();
  const { q: inAddress = '' } = useSearch({ from: '/shell/support/knowledge-base' });
  const [text, setText] = useState(inAddress);
  const rested = useDebounced(text, TYPING_PAUSE_MS);
  const sent = useRef(inAddress);
  useEffect(() => {
    // Ignores the echo of its own change, which would overwrite newer input.
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (rested !== text || rested === sent.current) return;
    sent.current = rested;
    void navigate({
      to: '/support/knowledge-base',
      search: ({ language }) => ({ language, q: rested || undefined }),
      replace: true,
    });
  }, [rested, text, navigate]);
  return { text, setText };
}

/** Visitors have no preferences that could turn the key off. */
function SearchKey({ onPressed }: { onPressed: () => void }) {
  const { shortcuts } = usePreferences();
  useSingleKey('/', onPressed);
  return shortcuts && <kbd>/</kbd>;
}

/** The head of the knowledge base: what it is for, a field, and what is often looked for. */
export function ArticleSearch({ count }: { count: number | undefined }) {
  const { t } = useTranslation('articles');
  const { text, setText } = useSought();
  const input = useRef<HTMLInputElement>(null);
  const take = (sought: string) => {
    setText(sought);
    input.current?.focus();
  };
  const isSignedIn = useReader() !== null;
  useDocumentTitle();
  return (
    <Card className={styles.head}>
      <h1>{t('heading')}</h1>
      <p className={styles.count}>{count !== undefined && t('count', { count })}</p>
      <search className={styles.search}>
        <Search size={20} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          dir="auto"
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          maxLength={MAX_LENGTH}
          onChange={({ target }) => setText(target.value)}
        />
        {!text && isSignedIn && <SearchKey onPressed={() => input.current?.focus()} />}
        {text && (
          <button type="button" aria-label={t('clear')} onClick={() => take('')}>
            <X size={18} aria-hidden="true" />
          </button>
        )}
      </search>
      <Row
        as="ul"
        align="stretch"
        gap={8}
        justify="center"
        wrap
        className={styles.topics}
        aria-label={t('topicsLabel')}
      >
        {topics.map((topic) => (
          <li key={topic}>
            <button type="button" onClick={() => take(t(`topics.${topic}`))}>
              {t(`topics.${topic}`)}
            </button>
          </li>
        ))}
      </Row>
    </Card>
  );
}
