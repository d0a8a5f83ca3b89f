import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { BookOpen, Plus, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { Row, Stack } from '#kit/ui/vocabulary.tsx';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import { useReader } from '#platform/data/session.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { useDrawnInSlices } from '#platform/start/later.tsx';
import styles from './articles.module.css';
import { AskForHelpCard } from './ask-for-help.tsx';
import { CategoryArticles } from './category-articles.tsx';
import { CategoryCards } from './category-cards.tsx';
import { FoundArticles } from './found-articles.tsx';
import { articlesQuery } from './queries.ts';

export function KnowledgeBasePage() {
  const { i18n } = useTranslation();
  const { q, category, language } = useSearch({ from: '/shell/support/knowledge-base' });
  const locale = language ?? (i18n.language as Language);
  const { data: fetched, error, refetch } = useQuery(articlesQuery({ locale }));
  const data = useDrawnInSlices(fetched);
  const { isLoading } = useQuery(articlesQuery(q ? { q, locale } : { category, locale }));
  const ofLanguage = (one: Language) =>
    data?.counts.reduce((sum, count) => sum + (count.locale === one ? count.total : 0), 0) ?? 0;
  return (
    <Stack gap={24} phoneGap={16}>
      <ArticleSearch count={data && ofLanguage(locale)} />
      {error && !fetched && (
        <Card>
          <FailedPanel error={error} onRetry={() => void refetch()} />
        </Card>
      )}
      {q ? (
        <FoundArticles q={q} locale={locale} />
      ) : category ? (
        <CategoryArticles category={category} locale={locale} />
      ) : (
        data &&
        (ofLanguage(locale) > 0 ? (
          <CategoryCards articles={data.items} counts={data.counts} locale={locale} />
        ) : (
          <NoArticles />
        ))
      )}
      {/* Shown before what stands above it, it would be pushed down. */}
      {!isLoading && (data || error) && (
        <>
          <OtherLanguages shown={locale} countOf={ofLanguage} />
          <AddArticle />
          <AskForHelpCard about={q} />
        </>
      )}
    </Stack>
  );
}

function NoArticles() {
  const { t } = useTranslation('articles');
  const isAdmin = useReader()?.is_admin ?? false;
  return (
    <Card>
      <EmptyPanel
        icon={<BookOpen />}
        title={t('none')}
        text={t(isAdmin ? 'noneForAdmin' : 'noneText')}
      />
    </Card>
  );
}

interface OtherLanguagesProps {
  shown: Language;
  countOf: (language: Language) => number;
}

function OtherLanguages({ shown, countOf }: OtherLanguagesProps) {
  const { t } = useTranslation('articles');
  const others = languages.filter((language) => language !== shown && countOf(language) > 0);
  if (others.length === 0) return null;
  return (
    <Row gap="4 16" as="p" wrap muted className={styles.others}>
      <span>{t('inOtherLanguages')}</span>
      {others.map((language) => (
        <Link
          key={language}
          from="/support/knowledge-base"
          to="/support/knowledge-base"
          search={(search) => ({ ...search, language })}
          lang={language}
          className="link"
        >
          {t('articlesIn', { language: languageNames[language], count: countOf(language) })}
        </Link>
      ))}
    </Row>
  );
}

function AddArticle() {
  const { t } = useTranslation('articles');
  if (!useReader()?.is_admin) return null;
  return (
    <Row align="stretch">
      <ButtonLink to="/support/knowledge-base/add" variant="solid" icon={<Plus />}>
        {t('add')}
      </ButtonLink>
    </Row>
  );
}

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

function ArticleSearch({ count }: { count: number | undefined }) {
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
      <search className={`field-box ${styles.search}`}>
        <Search size={20} />
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
            <X size={18} />
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
