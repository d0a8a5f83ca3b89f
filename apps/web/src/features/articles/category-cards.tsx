import type { ArticleReply, ArticleSummary, listArticles } from '@linekeeper/contract/articles.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import {
  type ArticleCategory,
  articleCategories,
} from '@linekeeper/contract/lists/article-categories.ts';
import { Link } from '@tanstack/react-router';
import {
  CodeXml,
  Coins,
  type LucideIcon,
  Route,
  Server,
  ShieldCheck,
  Users,
  Wrench,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

const SHOWN = 3;

interface CategoryCardsProps {
  articles: readonly ArticleSummary[];
  counts: Reply<typeof listArticles>['counts'];
  locale: Language;
}

export function CategoryCards({ articles, counts, locale }: CategoryCardsProps) {
  const totalOf = (category: ArticleCategory) =>
    counts.find((count) => count.category === category && count.locale === locale)?.total ?? 0;
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))] gap-6 phone:gap-2">
      {articleCategories
        .filter((category) => totalOf(category) > 0)
        .map((category) => (
          <CategoryCard
            key={category}
            category={category}
            articles={articles.filter((article) => article.category === category).slice(0, SHOWN)}
            total={totalOf(category)}
          />
        ))}
    </div>
  );
}

interface CategoryCardProps {
  category: ArticleCategory;
  articles: readonly ArticleSummary[];
  total: number;
}

function CategoryCard({ category, articles, total }: CategoryCardProps) {
  const { t } = useTranslation('articles');
  const Icon = categoryIcons[category];
  return (
    <Card className="flex flex-col items-start [&_ul]:w-full [&_ul]:mt-3 [&_ul]:mx-0 [&_ul]:mb-2 [&_li]:py-1 [&_li]:px-0 phone:[&_ul]:my-1 phone:[&_ul]:mx-0 phone:[&_li]:p-0">
      <div className="flex items-center justify-between gap-4 w-full [&_h2]:tracking-[-0.005em]">
        <h2>{t(`categories.${category}`)}</h2>
        <IconTile>
          <Icon size={20} />
        </IconTile>
      </div>
      <ul>
        {articles.map((article) => (
          <li key={article.id}>
            <ArticleName article={article} />
          </li>
        ))}
      </ul>
      <Link
        to="/support/knowledge-base"
        search={({ language }) => ({ language, category })}
        className="link inline-flex items-center mt-auto phone:min-h-11"
      >
        {t('count', { count: total })}
        <span className="visually-hidden">: {t(`categories.${category}`)}</span>
      </Link>
    </Card>
  );
}

interface ArticleNameProps {
  article: Pick<ArticleSummary, 'id' | 'title' | 'locale'> &
    Partial<Pick<ArticleReply['article'], 'is_published'>>;
}

export function ArticleName({ article: { id, title, locale, is_published } }: ArticleNameProps) {
  const { t } = useTranslation('articles');
  return (
    <span className="flex items-center flex-wrap gap-y-1 gap-x-2 min-w-0 wrap-anywhere [&_a:hover]:underline phone:[&_a]:block phone:[&_a]:py-[11px] phone:[&_a]:px-0">
      <Link to="/support/knowledge-base/$id" params={{ id }} lang={locale}>
        <TypedText>{title}</TypedText>
      </Link>
      {is_published === false && <Badge tone="warning">{t('draft')}</Badge>}
    </span>
  );
}

const categoryIcons: Record<ArticleCategory, LucideIcon> = {
  lines: Route,
  credits: Coins,
  servers: Server,
  accounts: Users,
  sign_in: ShieldCheck,
  api: CodeXml,
  panel: Wrench,
};
