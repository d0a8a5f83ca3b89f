import { type Article, createArticle } from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { articleQuery } from '#features/articles/queries.ts';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { results } from '#platform/state/results.ts';
import { ArticleForm, articleForm, CancelLink } from './article-form.tsx';

/** The page for a new article, or for the translation of one, whose text begins as a copy of the original. */
export function AddArticlePage() {
  const { t } = useTranslation('articles');
  const { of } = useSearch({ from: '/shell/support/knowledge-base/add' });
  const { data, error, refetch } = useQuery({ ...articleQuery(of ?? ''), enabled: Boolean(of) });
  const title = data && t('form.translates', { title: data.article.title });
  return (
    <>
      <PageHeader {...(title ? { text: title } : {})} />
      {of && error && !data && <FailedCard error={error} onRetry={() => void refetch()} />}
      {(!of || data) && <AddArticleForm key={of} original={data?.article} />}
    </>
  );
}

function AddArticleForm({ original }: { original: Article | undefined }) {
  const { t, i18n } = useTranslation('articles');
  const navigate = useNavigate();
  const { language } = useSearch({ from: '/shell/support/knowledge-base/add' });
  const { form, submission } = useCommandForm(createArticle, {
    schema: articleForm,
    refreshes: ['articles'],
    defaultValues: {
      title: original?.title ?? '',
      body: original?.body ?? '',
      locale: language ?? (i18n.language as Language),
      is_published: false,
      ...(original ? { translation_of: original.id } : { category: 'lines' }),
    },
    done: ({ article }) => {
      results.success(t('saved', { name: article.title }));
      return navigate({ to: '/support/knowledge-base/$id', params: { id: article.id } });
    },
    fieldOfCode: { TRANSLATION_EXISTS: 'locale' },
  });
  return (
    <ArticleForm
      form={form}
      submission={submission}
      label={t('nav.addArticle')}
      submitLabel={t('form.create')}
      isTranslation={original !== undefined}
      back={<CancelLink id={original?.id} />}
    />
  );
}
