import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useReader } from '../../shared/data/session.ts';
import { languageNames } from '../../shared/i18n/languages.ts';
import { useDrawnInSlices } from '../../shared/start/later.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { Row, Stack } from '../../shared/ui/vocabulary.tsx';
import { ArticleSearch } from './article-search.tsx';
import styles from './articles.module.css';
import { AskForHelpCard } from './ask-for-help.tsx';
import { CategoryArticles } from './category-articles.tsx';
import { CategoryCards } from './category-cards.tsx';
import { FoundArticles } from './found-articles.tsx';
import { articlesQuery } from './queries.ts';

/** The articles of one language: by category, those of one, or those that a search finds. */
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
    <Row as="p" wrap muted className={styles.others}>
      <span>{t('inOtherLanguages')}</span>
      {others.map((language) => (
        <Link
          key={language}
          from="/support/knowledge-base"
          to="/support/knowledge-base"
          search={(search) => ({ ...search, language })}
          lang={language}
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
    <div className={styles.add}>
      <ButtonLink
        to="/support/knowledge-base/add"
        variant="solid"
        icon={<Plus aria-hidden="true" />}
      >
        {t('add')}
      </ButtonLink>
    </div>
  );
}
