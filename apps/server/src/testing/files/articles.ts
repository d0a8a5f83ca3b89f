import { expect } from 'vitest';
import type { TestPanel } from '../panel.ts';

export const ARTICLES = '/api/articles';

/** Fields of an article that a test sets. */
export interface GivenArticle {
  [field: string]: unknown;
}

/** Returns functions that write, change and list articles over the API, by default as an administrator. */
export function articlesOf(panel: TestPanel) {
  let made = 0;
  return {
    async write(given: GivenArticle = {}) {
      const { status, body } = await panel.admin.post(ARTICLES, {
        title: `Article ${++made}`,
        body: 'Some text',
        category: 'api',
        locale: 'en',
        is_published: true,
        ...given,
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.article;
    },
    edit: (id: string, changes: GivenArticle) => panel.admin.patch(`${ARTICLES}/${id}`, changes),
    async titles(query: string, client = panel.admin): Promise<string[]> {
      const { status, body } = await client.get(`${ARTICLES}?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.items.map(({ title }: { title: string }) => title);
    },
  };
}
