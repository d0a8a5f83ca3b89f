import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';

/** Articles change one after the other, so that places and languages can be compared. */
export async function lockArticles(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('articles'))`.execute(tx);
}

/** 0 in an empty category. */
export async function lastPosition(tx: Tx, category: ArticleCategory): Promise<number> {
  const { last } = await tx
    .selectFrom('articles')
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .where('category', '=', category)
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * Puts an original with its translations in the given place of a category, counted from 1; null for
 * the last. The others move aside, and all are numbered without gaps.
 */
export async function moveTo(
  tx: Tx,
  original: string,
  category: ArticleCategory,
  position: number | null,
): Promise<void> {
  const others = await tx
    .selectFrom('articles')
    .select('id')
    .where('category', '=', category)
    .where('translation_of', 'is', null)
    .where('id', '!=', original)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const order = others.map(({ id }) => id);
  order.splice((position ?? order.length + 1) - 1, 0, original);
  await sql`
    update articles set category = ${category}, position = numbered.position
      from unnest(${order}::uuid[]) with ordinality as numbered (id, position)
      where coalesce(articles.translation_of, articles.id) = numbered.id
        and (articles.category, articles.position)
          is distinct from (${category}, numbered.position::integer)`.execute(tx);
}
