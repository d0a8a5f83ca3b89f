import type {
  ArticleReply,
  ArticleSummary,
  listArticles as listEndpoint,
} from '@linekeeper/contract/articles.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { ArticlesTable } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { type Page, readPage, type SortColumn } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';
import { readSettings } from '../../platform/settings.ts';
import {
  holds,
  holdsWords,
  mostFound,
  piecesOf,
  quotedBody,
  quotedTitle,
  relevance,
} from './search.ts';

type Query = Parsed<typeof listEndpoint>['query'];

const columns = [
  'id',
  'title',
  'category',
  'locale',
  'position',
  'translation_of',
  'is_published',
  'created_at',
  'updated_at',
] as const;

type Row = Pick<Selectable<ArticlesTable>, (typeof columns)[number]>;
type FoundRow = Row & { quoted_title: string; quoted_body: string };

const MOST_RELATED = 3;

const sortColumns: Record<string, SortColumn> = {
  position: { ref: 'articles.position', type: 'bigint' },
  title: { ref: sql`lower(articles.title)`, type: 'text' },
  updated_at: { ref: 'articles.updated_at', type: 'timestamptz' },
};

/**
 * Checks that the caller may read the knowledge base: anyone signed in may, and visitors if a setting allows it. Throws
 * NO_AUTHENTICATED_USER.
 */
export async function checkMayRead(ctx: Ctx): Promise<void> {
  if (ctx.signedIn || (await readSettings(ctx.db)).articles_public) return;
  fail('NO_AUTHENTICATED_USER');
}

/** SQL condition: the reader may see the article; administrators see drafts too. */
export function isShownTo(ctx: Pick<Ctx, 'signedIn'>) {
  return ctx.signedIn?.is_admin ? sql<SqlBool>`true` : sql<SqlBool>`articles.is_published`;
}

function matching(ctx: Ctx, { category, locale, is_published }: Query) {
  let found = ctx.db.selectFrom('articles').where(isShownTo(ctx));
  if (category) found = found.where('category', '=', category);
  if (locale) found = found.where('locale', '=', locale);
  if (is_published !== undefined) found = found.where('is_published', '=', is_published);
  return found;
}

async function searchArticles(ctx: Ctx, query: Query, q: string): Promise<Page<ArticleSummary>> {
  const sought = { text: q, isAny: query.any_word ?? false };
  const found = await matching(ctx, query)
    .where(holds(sought))
    .select(columns)
    .select([quotedTitle(sought).as('quoted_title'), quotedBody(sought).as('quoted_body')])
    .orderBy(holdsWords(sought), 'desc')
    .orderBy(relevance(sought), 'desc')
    .orderBy('id')
    .limit(mostFound)
    .execute();
  const items = found.map(({ quoted_title, quoted_body, ...row }: FoundRow) => ({
    ...sentRow(row),
    highlights: { title: piecesOf(quoted_title), text: piecesOf(quoted_body) },
  }));
  return { items, next_cursor: null, total: items.length, total_is_exact: true };
}

async function pageOfArticles(ctx: Ctx, query: Query): Promise<Page<ArticleSummary>> {
  const rows = ctx.db.selectFrom('articles').select(columns);
  const found = matching(ctx, query);
  const page = await readPage(ctx.db, query, sortColumns, 'articles.id', found, rows);
  return { ...page, items: page.items.map((row: Row) => ({ ...sentRow(row), highlights: null })) };
}

export async function listArticles(ctx: Ctx, { query }: { query: Query }) {
  await checkMayRead(ctx);
  const page = await (query.q ? searchArticles(ctx, query, query.q) : pageOfArticles(ctx, query));
  const counts = await ctx.db
    .selectFrom('articles')
    .select(['category', 'locale', sql<number>`count(*)::bigint`.as('total')])
    .where(isShownTo(ctx))
    .groupBy(['category', 'locale'])
    .execute();
  return { ...page, counts };
}

/**
 * An article with its text and the feedback on it. Throws ARTICLE_NOT_FOUND, also for a draft that the reader may not
 * see.
 */
export async function findArticle(ctx: Ctx, id: string): Promise<ArticleReply> {
  const { db, signedIn } = ctx;
  const reader = signedIn?.id ?? null;
  const row = await db
    .selectFrom('articles')
    .select([...columns, 'body'])
    .select([
      sql<number>`(select count(*) from article_feedback
        where article_id = articles.id and helpful)::bigint`.as('helpful_count'),
      sql<number>`(select count(*) from article_feedback
        where article_id = articles.id)::bigint`.as('feedback_count'),
      sql<boolean | null>`(select helpful from article_feedback
        where article_id = articles.id and account_id = ${reader}::uuid)`.as('my_feedback'),
    ])
    .where('id', '=', id)
    .where(isShownTo(ctx))
    .executeTakeFirst();
  if (!row) return fail('ARTICLE_NOT_FOUND');
  const original = row.translation_of ?? row.id;
  const translations = await db
    .selectFrom('articles')
    .select(['id', 'title', 'locale', 'is_published'])
    .where(sql<SqlBool>`(id = ${original}::uuid or translation_of = ${original}::uuid)`)
    .where('id', '!=', id)
    .where(isShownTo(ctx))
    .orderBy('locale')
    .execute();
  return { article: sentRow(row), translations, related: await relatedTo(db, row) };
}

/**
 * Related articles in the article's language: those of its category first, and among them those with the most similar
 * titles. Texts are not compared, because that takes seconds for long ones, and every reader needs it.
 */
async function relatedTo(db: Db, { id, locale, category, title }: Row) {
  return db
    .selectFrom('articles')
    .select(['id', 'title', 'locale'])
    .where('locale', '=', locale)
    .where('is_published', '=', true)
    .where('id', '!=', id)
    .orderBy(sql`category = ${category}`, 'desc')
    .orderBy(sql`word_similarity(fold(${title}::text), fold(articles.title))`, 'desc')
    .orderBy('position')
    .orderBy('id')
    .limit(MOST_RELATED)
    .execute();
}
