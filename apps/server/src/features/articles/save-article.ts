import type * as contract from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { auditOriginOf, differing, writeAudit } from '../../domain/audit/audit.ts';
import { articleSubject } from '../../domain/audit/audit-subjects.ts';
import type { Mutation, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { deleteRow, lockName, refuseFull } from '../../platform/rows.ts';
import { plainText } from './search.ts';
import { findArticle, isShownTo } from './store.ts';

const MAX_ARTICLES = 2000;

type Saved = { id: string };

/** Locks all articles, so that they change one after the other, and positions and languages can be compared. */
export async function lockArticles(tx: Tx): Promise<void> {
  await lockName(tx, 'articles');
}

/** The last position in a category; 0 if the category is empty. */
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
async function moveTo(
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

/** The article with this ID, read after `lockArticles`. Throws ARTICLE_NOT_FOUND. */
async function lockedArticle(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('articles')
    .select(['id', 'category', 'locale', 'position', 'translation_of', 'body'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? fail('ARTICLE_NOT_FOUND');
}

/** The original that `id` is a translation of, or the article itself. Throws ARTICLE_NOT_FOUND. */
async function originalOf(tx: Tx, id: string) {
  const { translation_of } = await lockedArticle(tx, id);
  return translation_of ? lockedArticle(tx, translation_of) : lockedArticle(tx, id);
}

/** Checks that no other translation of the article has the language. Throws TRANSLATION_EXISTS. */
async function checkLanguageIsFree(tx: Tx, original: string, locale: Language, ownId: string) {
  const taken = await tx
    .selectFrom('articles')
    .select('id')
    .where((where) =>
      where.or([where('id', '=', original), where('translation_of', '=', original)]),
    )
    .where('locale', '=', locale)
    .where('id', '!=', ownId)
    .executeTakeFirst();
  if (taken) failField('locale', 'TRANSLATION_EXISTS');
}

export const createArticle: Mutation<typeof contract.createArticle, Saved> = {
  audit: { action: 'article.create', subject: articleSubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body: { translation_of, position, ...given } }) => {
    await lockArticles(tx);
    await refuseFull(tx, 'articles', MAX_ARTICLES, 'TOO_MANY_ARTICLES');
    const id = newId();
    const original = translation_of ? await originalOf(tx, translation_of) : null;
    if (original) await checkLanguageIsFree(tx, original.id, given.locale, id);
    const category = original?.category ?? given.category ?? failField('category', 'REQUIRED');
    await tx
      .insertInto('articles')
      .values({
        ...given,
        id,
        category,
        body_text: plainText(given.body),
        position: original?.position ?? (await lastPosition(tx, category)) + 1,
        translation_of: original?.id ?? null,
        created_by: actor.id,
      })
      .execute();
    if (position) await moveTo(tx, original?.id ?? id, category, position);
    return { id };
  },
  reply: (ctx, { id }) => findArticle(ctx, id),
};

export const editArticle: Mutation<typeof contract.editArticle, Saved> = {
  audit: { auditsItself: 'unless the body is as it was, which no state shows' },
  commit: async (tx, ctx, { params: { id }, body: { category, position, ...given } }) => {
    await lockArticles(tx);
    const article = await lockedArticle(tx, id);
    const before = await articleSubject.read(tx, id);
    const { translation_of: wanted, ...texts } = given;
    if (wanted !== undefined) await translate(tx, id, wanted);
    const original = await originalOf(tx, id);
    await checkLanguageIsFree(tx, original.id, texts.locale ?? article.locale, id);
    if (Object.keys(texts).length > 0) {
      await tx
        .updateTable('articles')
        .set({
          ...texts,
          ...(texts.body === undefined ? {} : { body_text: plainText(texts.body) }),
          updated_at: sql<Date>`now()`,
        })
        .where('id', '=', id)
        .execute();
    }
    const isElsewhere = category !== undefined && category !== original.category;
    if (position !== undefined || isElsewhere) {
      await moveTo(tx, original.id, category ?? original.category, position ?? null);
    }
    const states = differing({ before, after: await articleSubject.read(tx, id) });
    const hasNewBody = texts.body !== undefined && texts.body !== article.body;
    if (hasNewBody || Object.keys(states.after ?? {}).length > 0) {
      const entry = { action: 'article.edit', subject_type: 'article', subject_id: id } as const;
      await writeAudit(tx, auditOriginOf(ctx), [{ ...entry, ...states }]);
    }
    return { id };
  },
  reply: (ctx, { id }) => findArticle(ctx, id),
};

/** Makes the article a translation of another, or with null an original. Throws ARTICLE_NOT_FOUND and INVALID_VALUE. */
async function translate(tx: Tx, id: string, wanted: string | null): Promise<void> {
  const original = wanted ? await originalOf(tx, wanted) : null;
  if (original?.id === id) failField('translation_of', 'INVALID_VALUE');
  if (original) await handOn(tx, id);
  await tx
    .updateTable('articles')
    .set({
      translation_of: original?.id ?? null,
      ...(original ? { category: original.category, position: original.position } : {}),
    })
    .where('id', '=', id)
    .execute();
}

/** Makes one of the translations of a deleted original the original of the others. */
async function handOn(tx: Tx, id: string): Promise<void> {
  await sql`
    update articles set translation_of = nullif(heir.id, articles.id)
      from (select id from articles where translation_of = ${id}::uuid
        order by created_at, id limit 1) as heir
      where translation_of = ${id}::uuid`.execute(tx);
}

export const deleteArticle: PlainMutation<typeof contract.deleteArticle> = {
  audit: { action: 'article.delete', subject: articleSubject },
  commit: async (tx, _, { params: { id } }) => {
    await lockArticles(tx);
    await handOn(tx, id);
    return deleteRow(tx, 'articles', id, 'ARTICLE_NOT_FOUND');
  },
};

export const rateArticle: Mutation<typeof contract.rateArticle, Saved> = {
  audit: { notAudited: 'an opinion of a text changes nothing that anybody could ask about' },
  commit: async (tx, ctx, { params: { id }, body: { helpful } }) => {
    const shown = await tx
      .selectFrom('articles')
      .select('id')
      .where('id', '=', id)
      .where(isShownTo(ctx))
      .forKeyShare()
      .executeTakeFirst();
    if (!shown) fail('ARTICLE_NOT_FOUND');
    await sql`insert into article_feedback (article_id, account_id, helpful)
        values (${id}, ${ctx.actor.id}, ${helpful})
      on conflict (article_id, account_id) do update
        set helpful = excluded.helpful, given_at = now()`.execute(tx);
    return { id };
  },
  reply: async (ctx, { id }) => {
    const { helpful_count, feedback_count, my_feedback } = (await findArticle(ctx, id)).article;
    return { helpful: my_feedback ?? false, helpful_count, feedback_count };
  },
};
