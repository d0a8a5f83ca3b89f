import type { ArticleSummary, TextPiece } from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { articlesQuery } from './queries.ts';

export function FoundArticles({ q, locale }: { q: string; locale: Language }) {
  const { t } = useTranslation('articles');
  const { data, error, refetch } = useQuery(articlesQuery({ q, locale }));
  if (error && !data) {
    return (
      <Card>
        <FailedPanel error={error} onRetry={() => void refetch()} />
      </Card>
    );
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
