// @module-tag thorough
import type { TextPiece } from '@linekeeper/contract/articles.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { piecesOf, plainText } from './search.ts';

const PATH = '/api/articles';

const articles = [
  ['en', 'The antenna on the roof', 'Cables were **bent** by the storms of last winter.'],
  ['en', 'Another thing', 'Look at the antenna too.'],
  ['en', 'Quoted', 'It says “Turbine” – or so – and «rotor».'],
  ['de', 'Die Schüssel auf dem Dach', 'Stürme haben alle Kabel und Häuser beschädigt.'],
  ['pl', 'Talerz na dachu', 'Usługa działa, choć wichura zerwała przewody. Świetnie!'],
  ['pt', 'A antena no telhado', 'As informações caíram e os cabos não funcionam.'],
] as const;

const marked = (pieces: TextPiece[]) =>
  pieces.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join('');

describe.each(databases)('search on %s', (database) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(database);
    for (const [locale, title, body] of articles) {
      await panel.admin.post(PATH, { title, body, locale, category: 'api', is_published: true });
    }
  });

  async function find(locale: string, q: string, more = '') {
    const { status, body } = await panel.admin.get(
      `${PATH}?category=api&locale=${locale}&q=${encodeURIComponent(q)}${more}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  test('finds by any longer word what somebody is about to ask, best first', async () => {
    const asked = 'Since the storms my antenna is on fire';
    expect((await find('en', asked)).items).toEqual([]);
    const { items } = await find('en', asked, '&any_word=true');
    expect(items.map(({ title }: { title: string }) => title)).toEqual([
      'The antenna on the roof',
      'Another thing',
    ]);
    expect((await find('en', 'my on so', '&any_word=true')).items).toEqual([]);
  });

  test.each([
    // The search finds other forms of a word, in other case and in another order.
    ['en', 'STORM cable', 'The antenna on the roof', '[Cables] were bent by the [storms]'],
    ['de', 'haus', 'Die Schüssel auf dem Dach', '[Häuser]'],
    ['pt', 'informação', 'A antena no telhado', '[informações]'],
    // Quotation marks and dashes are not letters.
    ['en', 'turbine', 'Quoted', '“[Turbine]”'],
    ['en', 'rotor', 'Quoted', '«[rotor]'],
    // Without accents.
    ['de', 'sturm', 'Die Schüssel auf dem Dach', '[Stürme]'],
    ['pl', 'usluga', 'Talerz na dachu', '[Usługa]'],
    ['pl', 'swietnie', 'Talerz na dachu', '[Świetnie]'],
    ['pt', 'cairam', 'A antena no telhado', '[caíram]'],
    // The search finds the beginning of a word.
    ['en', 'anten', 'The antenna on the roof', ''],
    ['pl', 'wich', 'Talerz na dachu', '[wichura]'],
  ])('in %s, %s is found and highlighted', async (locale, q, title, highlighted) => {
    const [first] = (await find(locale, q)).items;
    expect(first?.title).toBe(title);
    expect(marked(first.highlights.text)).toContain(highlighted);
  });

  test('a title that says it comes first, and is highlighted itself', async () => {
    const { items, next_cursor, total } = await find('en', 'antenna');
    expect(items.map(({ title }: { title: string }) => title)).toEqual([
      'The antenna on the roof',
      'Another thing',
    ]);
    expect(marked(items[0].highlights.title)).toBe('The [antenna] on the roof');
    expect([next_cursor, total]).toEqual([null, 2]);
  });

  test.each([
    ['en', 'antena'],
    ['de', 'schusel'],
  ])('in %s, %s with a slip finds a title', async (locale, q) => {
    expect((await find(locale, q)).items).not.toEqual([]);
  });

  test('what says it as it was typed comes before what was guessed', async () => {
    const write = (title: string, body: string) =>
      panel.admin.post(PATH, {
        title,
        body,
        locale: 'en',
        category: 'sign_in',
        is_published: true,
      });
    await write('Umbrela, umbrela', 'All about the umbrela.');
    const titles = async (q: string) => {
      const { body } = await panel.admin.get(`${PATH}?category=sign_in&locale=en&q=${q}`);
      return body.items.map(({ title }: { title: string }) => title);
    };
    expect(await titles('umbrella')).toEqual(['Umbrela, umbrela']);
    await write('Other', 'Once it says umbrella.');
    expect((await titles('umbrella'))[0]).toBe('Other');
  });

  test.each([
    ['en', 'suspnd', 'Suspend'],
    ['de', 'verlangren', 'verlänger'],
    ['pl', 'zawiesc', 'Zawie'],
    ['pl', 'kredtyy', 'kredyt'],
    ['pt', 'suspedner', 'Suspender'],
    ['pt', 'crédtios', 'crédito'],
  ])('in %s, what came with the panel is found by %s', async (locale, q, word) => {
    const { body } = await panel.admin.get(`${PATH}?locale=${locale}&q=${encodeURIComponent(q)}`);
    expect(body.items[0]?.title.toLowerCase()).toContain(word.toLowerCase());
  });

  test.each(['xylophone', 'storm xylophone', "' | antenna", '!!!', '%', ':*', '\\', 'a & | ! <->'])(
    '%j finds nothing that it should not, and breaks nothing',
    async (q) => {
      const { items } = await find('en', q);
      expect(items.length).toBe(q.includes('antenna') ? 2 : 0);
    },
  );

  test('a long text is quoted around the first place of a word, however often it is there', async () => {
    const write = async (title: string, body: string) => {
      const article = { title, body, locale: 'en', category: 'sign_in', is_published: true };
      expect((await panel.admin.post(PATH, article)).status).toBe(201);
    };
    const far = 'words of no interest at all '.repeat(400);
    await write('Deep', `${far}the łódź runs aground, and boats were renewed ${far}`);
    const portuguese = { title: 'Fundo', body: `${far}há uma limitação ${far}`, locale: 'pt' };
    await panel.admin.post(PATH, { ...portuguese, category: 'sign_in', is_published: true });
    // The article is quoted as a whole, so many of these would take longer than a search may take.
    for (let copy = 0; copy < 25; copy++) await write(`Full ${copy}`, 'sos '.repeat(7400));
    const quoted = async (q: string, locale = 'en') => {
      const search = new URLSearchParams({ category: 'sign_in', locale, q });
      const { status, body } = await panel.admin.get(`${PATH}?${search}`);
      expect(status).toBe(200);
      return body.items.map((item: { highlights: { text: TextPiece[] } }) =>
        marked(item.highlights.text),
      );
    };
    expect(await quoted('lodz')).toEqual([expect.stringContaining('[łódź] runs aground')]);
    expect(await quoted('ŁÓDŹ')).toEqual([expect.stringContaining('[łódź] runs aground')]);
    expect(await quoted('renewal')).toEqual([expect.stringContaining('boats were [renewed]')]);
    const limit = [expect.stringContaining('uma [limitação]')];
    expect(await quoted('limitações', 'pt')).toEqual(limit);
    const all = await quoted('sos');
    expect(all).toHaveLength(25);
    for (const text of all) expect(text).toContain('[sos]');
  });

  test('without a language all languages are searched, each by its own words', async () => {
    const { body } = await panel.admin.get(`${PATH}?category=api&q=antenna`);
    expect(body.items.length).toBeGreaterThanOrEqual(2);
    const { body: german } = await panel.admin.get(`${PATH}?category=api&q=sturm`);
    expect(german.items.map(({ locale }: { locale: string }) => locale)).toContain('de');
  });

  test('what comes with the panel is found as people ask for it', async () => {
    const first = async (locale: string, q: string) => {
      const { body } = await panel.admin.get(`${PATH}?locale=${locale}&q=${encodeURIComponent(q)}`);
      return body.items[0]?.title;
    };
    expect(await first('en', 'not on server')).toMatch(/Not on server/);
    expect(await first('de', 'nicht auf server')).toMatch(/Nicht auf/);
  });
});

describe('the plain text of Markdown', () => {
  test.each([
    ['## Title\n\nSome **bold** `code`', 'Title Some bold code'],
    ['1. First\n2. [Second](/users/all)', 'First Second'],
    ['> Note\n\n- a\n- b', 'Note a b'],
    ['![picture](https://x.example/a.png) and', 'picture and'],
    ['```sh\nnpm start\n```', 'npm start'],
    ['<b onclick="x()">Text</b>', 'Text'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['a \ue000b\ue001', 'a b'],
    ['_so_ and AGENT_PORT', 'so and AGENT_PORT'],
  ])('of %j', (markdown, text) => expect(plainText(markdown)).toBe(text));

  test.each(['[', '![', '<', '*', '#', '> ', '`', '| ', '[](', ' '])(
    'of a very long text of %j ends',
    (part) => {
      // If the work grew with the square of the length, the test would exceed its time limit.
      const text = part.repeat(2_000_000 / part.length);
      expect(plainText(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});

test('a headline is taken apart without trusting its marks', () => {
  expect(piecesOf('a \ue000b\ue001 c')).toEqual([
    { text: 'a ', is_match: false },
    { text: 'b', is_match: true },
    { text: ' c', is_match: false },
  ]);
  expect(piecesOf('')).toEqual([]);
});
