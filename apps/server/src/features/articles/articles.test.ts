import { beforeAll, describe, expect, test } from 'vitest';
import { articlesOf, ARTICLES as PATH } from '../../testing/files/articles.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
let write: ReturnType<typeof articlesOf>['write'];
let edit: ReturnType<typeof articlesOf>['edit'];
let titles: ReturnType<typeof articlesOf>['titles'];
beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 0 });
  ({ write, edit, titles } = articlesOf(panel));
});

describe('who reads', () => {
  test('the signed-in do; visitors once a setting says so, and only what is published', async () => {
    const draft = await write({ is_published: false });
    const shown = await write();
    const visitor = panel.anonymous();
    for (const path of [PATH, `${PATH}/${shown.id}`]) {
      const refused = await visitor.get(path);
      expect([refused.status, refused.body.code]).toEqual([401, 'NO_AUTHENTICATED_USER']);
    }
    await panel.admin.patch('/api/settings', { articles_public: true });
    for (const client of [visitor, seller.client]) {
      expect((await client.get(`${PATH}/${shown.id}`)).body.article.title).toBe(shown.title);
      expect(await client.get(`${PATH}/${draft.id}`)).toMatchObject({
        status: 404,
        body: { message: 'Article not found' },
      });
      const found = await titles('category=api&limit=100', client);
      expect(found).toContain(shown.title);
      expect(found).not.toContain(draft.title);
      expect(await titles('is_published=false', client)).toEqual([]);
      expect(await titles(`q=${encodeURIComponent(draft.title)}`, client)).not.toContain(
        draft.title,
      );
    }
    expect((await visitor.post(`${PATH}/${shown.id}/feedback`, { helpful: true })).status).toBe(
      401,
    );
    await panel.admin.patch('/api/settings', { articles_public: false });
    expect((await visitor.get(PATH)).status).toBe(401);
    expect(await titles('is_published=false')).toContain(draft.title);
    expect((await panel.admin.get(`${PATH}/${draft.id}`)).status).toBe(200);
  });

  test('administrators alone write', async () => {
    const { id } = await write();
    const body = { title: 'Mine', body: 'Mine', category: 'api', locale: 'en' };
    const tried = [
      await seller.client.post(PATH, body),
      await seller.client.patch(`${PATH}/${id}`, { title: 'Mine' }),
      await seller.client.delete(`${PATH}/${id}`),
    ];
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('an article', () => {
  test('is written, edited and deleted, and the audit log tells of it', async () => {
    const article = await write({ title: 'First', body: '## One\n\nText' });
    expect(article).toMatchObject({
      title: 'First',
      body: '## One\n\nText',
      category: 'api',
      locale: 'en',
      translation_of: null,
      is_published: true,
      helpful_count: 0,
      feedback_count: 0,
      my_feedback: null,
    });
    const { body } = await edit(article.id, { title: 'Second', is_published: false });
    expect(body.article).toMatchObject({ title: 'Second', body: '## One\n\nText' });
    expect(await panel.admin.delete(`${PATH}/${article.id}`)).toMatchObject({
      body: { success: true },
    });
    for (const reply of [
      await panel.admin.get(`${PATH}/${article.id}`),
      await edit(article.id, { title: 'Third' }),
      await panel.admin.delete(`${PATH}/${article.id}`),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'ARTICLE_NOT_FOUND']);
    }
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', article.id)
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      { action: 'article.create', after: { title: 'First' } },
      {
        action: 'article.edit',
        before: { title: 'First', is_published: true },
        after: { title: 'Second', is_published: false },
      },
      { action: 'article.delete', before: { title: 'Second' } },
    ]);
  });

  test('names those with titles like its own first, whatever long texts say', async () => {
    const about = { category: 'api', locale: 'pl' };
    const { id, title } = await write({ ...about, title: 'Heron on the lake' });
    await write({ ...about, title: 'Another thing', body: `${title} `.repeat(2000) });
    await write({ ...about, title: 'Herons on lakes' });
    const { related } = (await panel.admin.get(`${PATH}/${id}`)).body;
    expect(related.map((one: { title: string }) => one.title).slice(0, 2)).toEqual([
      'Herons on lakes',
      'Another thing',
    ]);
  });

  test('says when its text was changed, not when it was moved or rated', async () => {
    const { id, updated_at } = await write();
    await seller.client.post(`${PATH}/${id}/feedback`, { helpful: true });
    const moved = await edit(id, { position: 1 });
    expect(moved.body.article.updated_at).toBe(updated_at);
    const changed = await edit(id, { body: 'Other text' });
    expect(changed.body.article.updated_at > updated_at).toBe(true);
  });

  test.each([
    [{ title: ' ' }, 'title'],
    [{ title: 'a\u200bb' }, 'title'],
    [{ title: 'x'.repeat(151) }, 'title'],
    [{ body: '' }, 'body'],
    [{ body: 'x'.repeat(40_001) }, 'body'],
    [{ body: 'a\0b' }, 'body'],
    [{ category: 'cars' }, 'category'],
    [{ category: undefined }, 'category'],
    [{ locale: 'fr' }, 'locale'],
    [{ locale: undefined }, 'locale'],
    [{ position: 0 }, 'position'],
    [{ helpful_count: 9 }, 'helpful_count'],
  ])('is not made of %j', async (wrong, field) => {
    const reply = await panel.admin.post(PATH, {
      title: 'Right',
      body: 'Right',
      category: 'api',
      locale: 'en',
      ...wrong,
    });
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, [field]]);
  });
});

describe('"Was this helpful?"', () => {
  test('counts the last answer of each account', async () => {
    const { id } = await write();
    const other = await panel.reseller({ credits: 0 });
    const say = async (client: typeof panel.admin, helpful: boolean) =>
      (await client.post(`${PATH}/${id}/feedback`, { helpful })).body;
    expect(await say(seller.client, true)).toEqual({
      helpful: true,
      helpful_count: 1,
      feedback_count: 1,
    });
    await say(other.client, false);
    expect(await say(seller.client, false)).toMatchObject({ helpful_count: 0, feedback_count: 2 });
    expect((await seller.client.get(`${PATH}/${id}`)).body.article.my_feedback).toBe(false);
    expect((await panel.admin.get(`${PATH}/${id}`)).body.article.my_feedback).toBeNull();
    const missing = await seller.client.post(`${PATH}/${crypto.randomUUID()}/feedback`, {
      helpful: true,
    });
    expect(missing.status).toBe(404);
  });
});
