import { type Article, deleteArticle, editArticle } from '@linekeeper/contract/articles.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { articleQuery } from '#features/articles/queries.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { results } from '#platform/state/results.ts';
import { ArticleForm, articleForm, CancelLink } from './article-form.tsx';

export function EditArticlePage() {
  const { id } = useParams({ from: '/shell/support/knowledge-base/edit/$id' });
  const { data, error, isPending, refetch } = useQuery(articleQuery(id));
  return (
    <>
      <PageHeader />
      {data && <EditArticleForm key={id} article={data.article} />}
      {!data && !isPending && <FailedCard error={error} onRetry={() => void refetch()} />}
    </>
  );
}

function EditArticleForm({ article }: { article: Article }) {
  const { t } = useTranslation('articles');
  const navigate = useNavigate();
  const { title, body, category, locale, is_published } = article;
  const stored = { title, body, category, locale, is_published };
  const { form, submission } = useCommandForm(editArticle, {
    schema: articleForm,
    params: { id: article.id },
    refreshes: ['articles'],
    waits: true,
    values: stored,
    bodyOf: (values, form) => changedFields(values, form.getValues(), stored),
    done: ({ article: saved }) => {
      results.success(t('saved', { name: saved.title }));
      return navigate({ to: '/support/knowledge-base/$id', params: { id: saved.id } });
    },
    fieldOfCode: { TRANSLATION_EXISTS: 'locale' },
  });
  return (
    <ArticleForm
      form={form}
      submission={submission}
      label={t('edit')}
      submitLabel={t('action.save')}
      isTranslation={article.translation_of !== null}
      back={<CancelLink id={article.id} />}
      end={<DeleteArticle article={article} onDeleted={submission.letLeave} />}
    />
  );
}

function DeleteArticle({ article, onDeleted }: { article: Article; onDeleted: () => void }) {
  const { t } = useTranslation('articles');
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const name = { name: article.title };
  const deletion = useCommand(deleteArticle, {
    params: { id: article.id },
    refreshes: ['articles'],
    removes: [articleQuery(article.id).queryKey],
  });
  return (
    <>
      <Button
        variant="text"
        tone="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => setAsked(true)}
      >
        {t('delete.action')}
      </Button>
      {isAsked && (
        <ConfirmAction
          command={deletion}
          tone="danger"
          title={t('askDelete', name)}
          text={t('delete.text')}
          confirmLabel={t('delete.action')}
          done={() => {
            results.success(t('deleted', name));
            onDeleted();
            return navigate({ to: '/support/knowledge-base' });
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
