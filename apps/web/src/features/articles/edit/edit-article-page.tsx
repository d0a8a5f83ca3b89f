import { type Article, deleteArticle, editArticle } from '@linekeeper/contract/articles.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { changedFields } from '../../../shared/forms/changed-fields.ts';
import { useCommandForm } from '../../../shared/forms/use-command-form.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { results } from '../../../shared/state/results.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { articleQuery } from '../queries.ts';
import { ArticleForm, articleForm, CancelLink } from './article-form.tsx';

export function EditArticlePage() {
  const { id } = useParams({ from: '/shell/support/knowledge-base/edit/$id' });
  const { data, error, isPending, refetch } = useQuery(articleQuery(id));
  return (
    <>
      <PageHeader />
      {data && <EditArticleForm key={id} article={data.article} />}
      {!data && !isPending && (
        <Card>
          <FailedPanel error={error} onRetry={() => void refetch()} />
        </Card>
      )}
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
      results.success(t('saved', { title: saved.title }));
      return navigate({ to: '/support/knowledge-base/$id', params: { id: saved.id } });
    },
    fieldOfCode: { TRANSLATION_EXISTS: 'locale' },
  });
  return (
    <ArticleForm
      form={form}
      submission={submission}
      label={t('edit')}
      submitLabel={t('form.save')}
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
  const name = { title: article.title };
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
          title={t('delete.title', name)}
          text={t('delete.text')}
          confirmLabel={t('delete.action')}
          done={() => {
            results.success(t('delete.done', name));
            onDeleted();
            return navigate({ to: '/support/knowledge-base' });
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
