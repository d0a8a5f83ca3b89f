import type { Language } from '@linekeeper/contract/languages.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Moment } from './column-types.ts';

export interface ArticlesTable {
  id: string;
  title: string;
  /** Markdown. */
  body: string;
  /** The body without what only Markdown reads. */
  body_text: string;
  category: ArticleCategory;
  locale: Language;
  position: number;
  translation_of: string | null;
  is_published: Generated<boolean>;
  /** null if it came with the panel. */
  created_by: string | null;
  created_at: Moment;
  updated_at: Moment;
  search: GeneratedAlways<string>;
  folded: GeneratedAlways<string>;
}

interface ArticleFeedbackTable {
  article_id: string;
  account_id: string;
  helpful: boolean;
  given_at: Moment;
}

interface ShippedArticlesTable {
  name: string;
  locale: Language;
  shipped_at: Moment;
}

/** Empty; panels of 1.5 read it. A later version drops it. */
interface ArticleVocabularyTable {
  locale: Language;
  word: string;
}

/** All tables of the knowledge base. */
export interface ArticleTables {
  articles: ArticlesTable;
  article_feedback: ArticleFeedbackTable;
  shipped_articles: ShippedArticlesTable;
  article_vocabulary: ArticleVocabularyTable;
}
