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

describe('translations', () => {
  test('stand where the original does, one for each language', async () => {
    const original = await write({ category: 'sign_in' });
    const german = await write({ locale: 'de', category: 'api', translation_of: original.id });
    // A translation of a translation belongs to the original article.
    const polish = await write({ locale: 'pl', translation_of: german.id });
    for (const { category, position, translation_of } of [german, polish]) {
      expect({ category, position, translation_of }).toEqual({
        category: 'sign_in',
        position: original.position,
        translation_of: original.id,
      });
    }
    const again = await panel.admin.post(PATH, {
      title: 'Noch einer',
      body: 'Text',
      locale: 'de',
      translation_of: original.id,
    });
    expect([again.status, again.body.data.field_codes]).toEqual([
      409,
      { locale: 'TRANSLATION_EXISTS' },
    ]);
    const taken = await edit(polish.id, { locale: 'en' });
    expect(taken.body.data.field_codes).toEqual({ locale: 'TRANSLATION_EXISTS' });
    const { body } = await seller.client.get(`${PATH}/${german.id}`);
    expect(body.translations).toMatchObject([{ locale: 'en' }, { locale: 'pl' }]);
    await edit(polish.id, { category: 'accounts' });
    expect((await panel.admin.get(`${PATH}/${original.id}`)).body.article.category).toBe(
      'accounts',
    );
  });

  test('stay together when their original is deleted or becomes a translation itself', async () => {
    const original = await write();
    const german = await write({ locale: 'de', translation_of: original.id });
    const polish = await write({ locale: 'pl', translation_of: original.id });
    await panel.admin.delete(`${PATH}/${original.id}`);
    const { body } = await panel.admin.get(`${PATH}/${german.id}`);
    expect(body.article.translation_of).toBeNull();
    expect(body.translations).toMatchObject([{ id: polish.id }]);
    const other = await write();
    await edit(german.id, { translation_of: other.id });
    expect((await panel.admin.get(`${PATH}/${polish.id}`)).body.article.translation_of).toBeNull();
    expect((await edit(other.id, { translation_of: german.id })).status).toBe(422);
    expect((await edit(other.id, { translation_of: crypto.randomUUID() })).status).toBe(404);
    const free = await edit(german.id, { translation_of: null });
    expect(free.body).toMatchObject({ article: { translation_of: null }, translations: [] });
  });
});

describe('the order', () => {
  test('is that of the administrators, in every language', async () => {
    const group = async (title: string) => {
      const { id } = await write({ title, category: 'accounts' });
      await write({ title: `${title} (de)`, locale: 'de', translation_of: id });
      return id;
    };
    const [, , third = ''] = [await group('A'), await group('B'), await group('C')];
    const inOrder = (locale: string) =>
      titles(`category=accounts&locale=${locale}`).then((all) =>
        all.filter((title) => /^[ABC]( |$)/.test(title)).join(),
      );
    expect(await inOrder('en')).toBe('A,B,C');
    await edit(third, { position: 1 });
    expect([await inOrder('en'), await inOrder('de')]).toEqual(['C,A,B', 'C (de),A (de),B (de)']);
    const { body } = await edit(third, { position: 10_000 });
    expect(await inOrder('en')).toBe('A,B,C');
    const all = await panel.admin.get(`${PATH}?category=accounts&locale=en`);
    expect(all.body.items.map(({ position }: { position: number }) => position)).toEqual(
      all.body.items.map((_: unknown, at: number) => at + 1),
    );
    expect(body.article.position).toBe(all.body.total);
  });

  test.each(['position', '-position', 'title', '-title', 'updated_at', '-updated_at'])(
    'by %s holds every article once, page by page',
    async (sort) => {
      const whole = await titles(`sort=${sort}&limit=100`);
      const walked: string[] = [];
      let cursor = '';
      do {
        const { body } = await panel.admin.get(
          `${PATH}?limit=7&sort=${sort}${cursor && `&cursor=${cursor}`}`,
        );
        walked.push(...body.items.map(({ title }: { title: string }) => title));
        cursor = body.next_cursor ?? '';
      } while (cursor);
      expect(walked).toEqual(whole);
    },
  );
});
