import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { lastPosition, lockArticles } from './save-article.ts';
import { plainText } from './search.ts';

/** The articles that come with the panel, in their order, each in every language. */
export const shippedArticles: readonly { name: string; category: ArticleCategory }[] = [
  { name: 'sell-a-line', category: 'lines' },
  { name: 'renew', category: 'lines' },
  { name: 'change-plan', category: 'lines' },
  { name: 'activation-codes', category: 'lines' },
  { name: 'customer-page', category: 'lines' },
  { name: 'who-owes', category: 'lines' },
  { name: 'not-on-server', category: 'lines' },
  { name: 'suspend', category: 'lines' },
  { name: 'credits', category: 'credits' },
  { name: 'redeem-a-code', category: 'credits' },
  { name: 'get-paid', category: 'credits' },
  { name: 'first-server', category: 'servers' },
  { name: 'server-not-ready', category: 'servers' },
  { name: 'oscam-web-interface', category: 'servers' },
  { name: 'invite-a-reseller', category: 'accounts' },
  { name: 'backup', category: 'panel' },
];

const FOLDER = join(import.meta.dirname, 'shipped');

/** Reads a shipped article. The first line of its file is the title, as a heading. */
async function readShipped(name: string, locale: Language) {
  const text = await readFile(join(FOLDER, locale, `${name}.md`), 'utf8');
  const [, title = '', body = ''] = /^# (.+)\n+([\s\S]+)$/.exec(text) ?? [];
  if (!title) throw new Error(`${locale}/${name}.md does not begin with a title`);
  return { title, body: body.trim() };
}

async function namesMissing(db: Db): Promise<string[]> {
  const known = await db.selectFrom('shipped_articles').select('name').distinct().execute();
  const names = new Set(known.map(({ name }) => name));
  return shippedArticles.map(({ name }) => name).filter((name) => !names.has(name));
}

/**
 * Adds the articles of this version that the panel has never had, in all languages. Earlier
 * articles stay as administrators left them, even if they were deleted.
 */
export async function shipArticles(db: Db): Promise<void> {
  if ((await namesMissing(db)).length === 0) return;
  await transact(db, async (tx) => {
    await lockArticles(tx);
    // Another panel on the same database may have added some of the articles in the meantime.
    const missing = new Set(await namesMissing(tx));
    for (const shipped of shippedArticles) {
      if (missing.has(shipped.name)) await shipOne(tx, shipped);
    }
  });
}

async function shipOne(tx: Tx, { name, category }: (typeof shippedArticles)[number]) {
  const position = (await lastPosition(tx, category)) + 1;
  const ids = languages.map((locale) => ({ id: newId(), locale }));
  const original = ids[0]?.id ?? '';
  const rows = await Promise.all(
    ids.map(async ({ id, locale }) => {
      const { title, body } = await readShipped(name, locale);
      return { id, locale, title, body, body_text: plainText(body), category, position };
    }),
  );
  await tx
    .insertInto('articles')
    .values(
      rows.map((row) => ({
        ...row,
        translation_of: row.id === original ? null : original,
        is_published: true,
        created_by: null,
      })),
    )
    .execute();
  await tx
    .insertInto('shipped_articles')
    .values(languages.map((locale) => ({ name, locale })))
    .execute();
}
