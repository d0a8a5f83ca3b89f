import { type ArticleSummary, editArticle, type TextPiece } from '@linekeeper/contract/articles.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, BookOpen, Plus, Search, SearchX, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { BackLink } from '#kit/ui/back-link.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedCard, FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import { useReader } from '#platform/data/session.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { AskForHelpCard } from './ask-for-help.tsx';
import { ArticleName, CategoryCards } from './category-cards.tsx';
import { articlesQuery } from './queries.ts';

export function KnowledgeBasePage() {
  const { i18n } = useTranslation();
  const { q, category, language } = useSearch({ from: '/shell/support/knowledge-base' });
  const locale = language ?? (i18n.language as Language);
  const { data, error, refetch } = useQuery(articlesQuery({ locale }));
  const { isLoading } = useQuery(articlesQuery(q ? { q, locale } : { category, locale }));
  const ofLanguage = (one: Language) =>
    data?.counts.reduce((sum, count) => sum + (count.locale === one ? count.total : 0), 0) ?? 0;
  return (
    <div className="grid grid-cols-1 gap-6 phone:gap-4">
      <ArticleSearch count={data && ofLanguage(locale)} />
      {error && !data && <FailedCard error={error} onRetry={() => void refetch()} />}
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
      {/* This part appears only with the part above it, which would otherwise push it down. */}
      {!isLoading && (data || error) && (
        <>
          <OtherLanguages shown={locale} countOf={ofLanguage} />
          <AddArticle />
          <AskForHelpCard about={q} />
        </>
      )}
    </div>
  );
}

function NoArticles() {
  const { t } = useTranslation('articles');
  return (
    <Card>
      <EmptyPanel icon={<BookOpen />} title={t('none')} />
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
    <p className="flex items-center flex-wrap gap-y-1 gap-x-4 text-text-2 [&_a]:inline-flex [&_a]:items-center [&_a]:min-h-8 [&_a]:phone:min-h-11">
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
          {`${languageNames[language]} (${t('number', { value: countOf(language) })})`}
        </Link>
      ))}
    </p>
  );
}

function AddArticle() {
  const { t } = useTranslation('articles');
  if (!useReader()?.is_admin) return null;
  return (
    <div className="flex items-stretch">
      <ButtonLink to="/support/knowledge-base/add" variant="solid" icon={<Plus />}>
        {t('nav.addArticle')}
      </ButtonLink>
    </div>
  );
}

const MAX_LENGTH = 100;
const topics = ['notOnServer', 'renew', 'credits', 'backup'] as const;

/** Writes the typed text to the address after a pause, and follows changes of the address. */
function useSought() {
  const navigate = useNavigate();
  const { q: inAddress = '' } = useSearch({ from: '/shell/support/knowledge-base' });
  const [text, setText] = useState(inAddress);
  const rested = useDebounced(text);
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

/**
 * The key that focuses the search. Visitors do not have it, because they have no preferences that could turn it off.
 */
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
    <Card className="grid grid-cols-1 justify-items-center gap-2 py-10 px-6 text-center phone:py-6 phone:px-4">
      <h1>{t('heading')}</h1>
      <p className="min-h-5.5 text-text-2">{count !== undefined && t('count', { count })}</p>
      <search className="field-box flex items-center gap-2 w-full max-w-140 h-12 mt-4 [padding-inline:14px_4px] [&_kbd]:me-2.5 [&_kbd]:phone:hidden">
        <Search size={20} />
        <input
          ref={input}
          type="search"
          className="py-0 px-0.5"
          dir="auto"
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          maxLength={MAX_LENGTH}
          onChange={({ target }) => setText(target.value)}
        />
        {!text && isSignedIn && <SearchKey onPressed={() => input.current?.focus()} />}
        {text && (
          <button
            type="button"
            className="grid flex-none place-items-center w-10 h-10 rounded-control text-icon"
            aria-label={t('list.clearSearch')}
            onClick={() => take('')}
          >
            <X size={18} />
          </button>
        )}
      </search>
      <ul
        className="flex flex-wrap items-stretch justify-center gap-2 mt-2 mx-0 mb-0 [&_button]:min-h-8 [&_button]:py-1 [&_button]:px-3 [&_button]:border [&_button]:border-divider-strong [&_button]:rounded-control [&_button]:hover:bg-hover [&_button]:phone:min-h-11"
        aria-label={t('topicsLabel')}
      >
        {topics.map((topic) => (
          <li key={topic}>
            <button type="button" onClick={() => take(t(`topics.${topic}`))}>
              {t(`topics.${topic}`)}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function FoundArticles({ q, locale }: { q: string; locale: Language }) {
  const { t } = useTranslation('articles');
  const { data, error, refetch } = useQuery(articlesQuery({ q, locale }));
  if (error && !data) {
    return <FailedCard error={error} onRetry={() => void refetch()} />;
  }
  const items = data?.items ?? [];
  return (
    <Card>
      <p role="status" className={items.length > 0 ? 'text-text-2' : 'visually-hidden'}>
        {data && t('found', { count: items.length })}
      </p>
      {data && items.length === 0 && <EmptyPanel icon={<SearchX />} title={t('nothingFound')} />}
      <ul>
        {items.map((article) => (
          <FoundArticle key={article.id} article={article} q={q} />
        ))}
      </ul>
    </Card>
  );
}

function FoundArticle({ article, q }: { article: ArticleSummary; q: string }) {
  const { t } = useTranslation('articles');
  const { id, title, locale, category, is_published, highlights } = article;
  return (
    <li className="py-4 border-t border-t-divider wrap-anywhere first:mt-2" lang={locale}>
      <h2 className="type-[600_16px/24px_var(--font)]">
        <Link
          className="hover:underline"
          to="/support/knowledge-base/$id"
          params={{ id }}
          search={{ q }}
        >
          <Pieces pieces={highlights?.title ?? [{ text: title, is_match: false }]} />
        </Link>
      </h2>
      {highlights && (
        <p className="max-w-180 text-text-2 [&_mark]:text-text">
          <Pieces pieces={highlights.text} />
        </p>
      )}
      <span className="flex items-stretch gap-2 mt-2">
        <Badge tone="neutral">{t(`categories.${category}`)}</Badge>
        {!is_published && <Badge tone="warning">{t('draft')}</Badge>}
      </span>
    </li>
  );
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  let at = 0;
  return (
    <bdi>
      {pieces.map(({ text, is_match }) => {
        at += text.length;
        return is_match ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
      })}
    </bdi>
  );
}

interface CategoryArticlesProps {
  category: ArticleCategory;
  locale: Language;
}

/** All articles of a category, in their order, which administrators change here. */
function CategoryArticles({ category, locale }: CategoryArticlesProps) {
  const { t } = useTranslation('articles');
  const isAdmin = useReader()?.is_admin ?? false;
  const { data, error, refetch } = useQuery(articlesQuery({ category, locale }));
  const items = data?.items ?? [];
  return (
    <Card className="[&_li]:min-h-(--row) [&_li]:border-t [&_li]:border-t-divider">
      <BackLink to="/support/knowledge-base" search={({ language }) => ({ language })}>
        {t('nav.knowledgeBase')}
      </BackLink>
      <h2 className="mb-2">{t(`categories.${category}`)}</h2>
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data && items.length === 0 && <EmptyPanel icon={<BookOpen />} title={t('none')} />}
      <ul>
        {items.map((article, at) => (
          <li className="flex items-center justify-between gap-4" key={article.id}>
            <ArticleName article={article} />
            {isAdmin && (
              <span className="flex items-stretch gap-1 flex-none">
                <MoveButton article={article} to={items[at - 1]} direction="up" />
                <MoveButton article={article} to={items[at + 1]} direction="down" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface MoveButtonProps {
  article: ArticleSummary;
  /** The neighbouring article, whose place the moved article takes. */
  to: ArticleSummary | undefined;
  direction: 'up' | 'down';
}

function MoveButton({ article, to, direction }: MoveButtonProps) {
  const { t } = useTranslation('articles');
  const { send } = useCommand(editArticle, {
    params: { id: article.id },
    refreshes: ['articles'],
    waits: true,
  });
  const Icon = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <IconButton
      label={t(`action.${direction}`, { title: article.title })}
      size="small"
      // `disabled` would take the focus away from people who use the keyboard.
      aria-disabled={!to || undefined}
      onClick={() => to && void send({ position: to.position })}
    >
      <Icon size={18} />
    </IconButton>
  );
}
