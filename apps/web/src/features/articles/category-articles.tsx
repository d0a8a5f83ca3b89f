import { type ArticleSummary, editArticle } from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, BookOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { BackLink } from '#kit/ui/back-link.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useReader } from '#platform/data/session.ts';
import { ArticleName } from './category-cards.tsx';
import { articlesQuery } from './queries.ts';

interface CategoryArticlesProps {
  category: ArticleCategory;
  locale: Language;
}

/** All articles of a category, in their order, which administrators change here. */
export function CategoryArticles({ category, locale }: CategoryArticlesProps) {
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
