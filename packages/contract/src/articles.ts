import * as z from 'zod';
import { creation, done, endpoint, entity, listQuery, ofRecord, page } from './endpoint.ts';
import {
  changesOf,
  flag,
  id,
  invalid,
  missingOr,
  moment,
  STORABLE,
  yesOrNo,
} from './fields/fields.ts';
import { requiredName } from './fields/names.ts';
import { languages } from './languages.ts';
import { articleCategories } from './lists/article-categories.ts';

export const MAX_ARTICLE_TITLE = 150;
/** The maximum number of articles that a search returns, the best ones first. */
export const MAX_FOUND_ARTICLES = 30;

const category = z.enum(articleCategories, invalid);

/** A piece of a text; `is_match` if the search found it. */
const piece = z.object({ text: z.string(), is_match: z.boolean() });
export type TextPiece = z.output<typeof piece>;

const summaryFields = {
  id: z.string(),
  title: z.string(),
  category: z.enum(articleCategories),
  locale: z.enum(languages),
  /** Position among the articles of the category; a translation has the position of its original. */
  position: z.number().int(),
  translation_of: z.string().nullable(),
  is_published: z.boolean(),
  created_at: moment,
  updated_at: moment,
};

/** An article in a list. `highlights` is null without a search. */
const articleSummary = entity('ArticleSummary', {
  ...summaryFields,
  highlights: z.object({ title: z.array(piece), text: z.array(piece) }).nullable(),
});
export type ArticleSummary = z.output<typeof articleSummary>;

export const article = entity('Article', {
  ...summaryFields,
  body: z.string(),
  /** Readers who gave an opinion (`feedback_count`), and those of them who found the article helpful. */
  helpful_count: z.number().int(),
  feedback_count: z.number().int(),
  my_feedback: z.boolean().nullable(),
});
export type Article = z.output<typeof article>;

const link = z.object({ id: z.string(), title: z.string(), locale: z.enum(languages) });
export type ArticleLink = z.output<typeof link>;

/** An article with its other languages and with related articles. */
const articleReply = z.object({
  article,
  translations: z.array(link.extend({ is_published: z.boolean() })),
  related: z.array(link),
});
export type ArticleReply = z.output<typeof articleReply>;

const count = z.object({
  category: z.enum(articleCategories),
  locale: z.enum(languages),
  total: z.number().int(),
});

const locale = z.enum(languages, invalid);

const articleFields = {
  title: requiredName(MAX_ARTICLE_TITLE),
  body: z
    .string(missingOr('REQUIRED', 'INVALID_VALUE'))
    .trim()
    .min(1, { error: 'REQUIRED' })
    .max(40_000, { error: 'TOO_LONG' })
    .regex(STORABLE, invalid),
  category: category.optional(),
  locale: z.enum(languages, missingOr('REQUIRED', 'INVALID_VALUE')),
  position: z.int(invalid).min(1, invalid).max(10_000, invalid).optional(),
  translation_of: id('INVALID_VALUE').nullish(),
  is_published: yesOrNo.default(false),
};

const ofArticle = ofRecord('admin', 'ARTICLE_NOT_FOUND');

export const listArticles = endpoint('listArticles', 'GET /api/articles', {
  summary: 'List articles of the knowledge base',
  description:
    'Lists articles. Only administrators see drafts. `q` is a full-text search: best matches first, at most 30 on one page, with highlights. With `any_word`, articles with one of the longer words also match. The call needs a sign-in unless the knowledge base is open to everyone.',
  access: 'public',
  query: listQuery(['position', 'title', 'updated_at'], 'position', {
    category: category.optional(),
    locale: locale.optional(),
    is_published: flag.optional(),
    any_word: flag.optional(),
  }),
  output: page(articleSummary).extend({
    /** The number of all articles, independent of the search. */
    counts: z.array(count),
  }),
});

export const getArticle = endpoint('getArticle', 'GET /api/articles/{id}', {
  ...ofArticle,
  summary: 'Get an article',
  description:
    'Returns the article. The call needs a sign-in unless the knowledge base is open to everyone.',
  access: 'public',
  output: articleReply,
});

export const createArticle = endpoint('createArticle', 'POST /api/articles', {
  ...creation,
  summary: 'Create an article',
  description:
    'Creates an article, or a translation, which takes category and position from its original. Without a position it comes last in its category.',
  access: 'admin',
  body: z.object(articleFields),
  output: articleReply,
  errors: ['ARTICLE_NOT_FOUND', 'TRANSLATION_EXISTS', 'TOO_MANY_ARTICLES'],
});

export const editArticle = endpoint('editArticle', 'PATCH /api/articles/{id}', {
  ...ofArticle,
  summary: 'Change an article',
  description:
    'Changes the fields that you send. All translations share category and position. Positions count from 1; the other articles of the category move.',
  body: z.object({ ...changesOf(articleFields), locale: locale.optional() }),
  output: articleReply,
  errors: ['TRANSLATION_EXISTS'],
});

export const deleteArticle = endpoint('deleteArticle', 'DELETE /api/articles/{id}', {
  ...ofArticle,
  summary: 'Delete an article',
  description: 'Deletes the article. Its translations are kept.',
  output: done,
});

export const rateArticle = endpoint('rateArticle', 'POST /api/articles/{id}/feedback', {
  ...ofArticle,
  summary: 'Say whether an article helped you',
  description: 'Stores your rating, which replaces your earlier one.',
  access: 'account',
  body: z.object({ helpful: z.boolean(missingOr('REQUIRED', 'INVALID_VALUE')) }),
  output: z.object({
    helpful: z.boolean(),
    helpful_count: z.number().int(),
    feedback_count: z.number().int(),
  }),
});
