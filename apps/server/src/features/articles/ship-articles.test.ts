import { languages } from '@linekeeper/contract/languages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { shipArticles, shippedArticles } from './ship-articles.ts';

const PATH = '/api/articles';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

describe('articles that come with the panel', () => {
  test('are there in four languages, each with text of its own', async () => {
    const rows = await panel.services.db
      .selectFrom('articles')
      .select(['locale', 'title', 'body_text', 'translation_of', 'is_published'])
      .where('created_by', 'is', null)
      .execute();
    expect(rows).toHaveLength(shippedArticles.length * languages.length);
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
    for (const { title, body_text, is_published } of rows) {
      expect(is_published).toBe(true);
      const words = body_text.split(' ').length;
      expect(words, `${title}: ${words} words`).toBeGreaterThan(110);
      expect(words, `${title}: ${words} words`).toBeLessThan(360);
    }
    for (const locale of languages) {
      const own = rows.filter((row) => row.locale === locale);
      expect(own).toHaveLength(shippedArticles.length);
      expect(
        own.every(({ translation_of }) => (translation_of === null) === (locale === 'en')),
      ).toBe(true);
    }
  });

  test('come once: what was edited stays, what was deleted stays away', async () => {
    const shipped = await panel.admin.get(`${PATH}?category=panel&locale=en`);
    const { id, title } = shipped.body.items[0];
    await panel.admin.patch(`${PATH}/${id}`, { body: 'Ours is backed up by the provider.' });
    const german = (await panel.admin.get(`${PATH}/${id}`)).body.translations[0];
    await panel.admin.delete(`${PATH}/${german.id}`);
    await shipArticles(panel.services.db);
    const { body } = await panel.admin.get(`${PATH}/${id}`);
    expect(body.article).toMatchObject({ title, body: 'Ours is backed up by the provider.' });
    expect(body.translations).toHaveLength(languages.length - 2);
  });

  test('that a newer panel brings along are added once, by two panels at the same time', async () => {
    const { db } = panel.services;
    await db.deleteFrom('shipped_articles').where('name', '=', 'backup').execute();
    await Promise.all([shipArticles(db), shipArticles(db)]);
    const known = await db.selectFrom('shipped_articles').selectAll().execute();
    expect(known).toHaveLength(shippedArticles.length * languages.length);
    const all = await db
      .selectFrom('articles')
      .select('id')
      .where('category', '=', 'panel')
      .where('created_by', 'is', null)
      .execute();
    expect(all).toHaveLength(languages.length * 2 - 1);
  });
});
