import { languages } from '@linekeeper/contract/languages.ts';
import { textKinds } from '@linekeeper/contract/text/own-texts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { newLine } from '../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../testing/panel.ts';

const PATH = '/api/me/texts';
const usual = Object.fromEntries(languages.map((language) => [language, null]));
const noPage = { name: null, words: usual, phone: null, telegram: null, shows_password: false };
const allUsual = {
  ...Object.fromEntries(textKinds.map((kind) => [kind, usual])),
  page: noPage,
};

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  seller = await panel.reseller({ credits: 50 });
  return shop.stop;
});

describe('the texts of a seller', () => {
  test('are the usual ones, until others are saved, one by one', async () => {
    const { client } = await panel.reseller();
    expect((await client.get(PATH)).body).toEqual(allUsual);
    await client.send('PUT', PATH, {
      reminder: { en: ' Hello {name}, pay {price}. ', de: 'Hallo' },
    });
    const { status, body } = await client.send('PUT', PATH, {
      moved: { pl: 'Nowy adres: {c_line}' },
    });
    expect([status, body]).toEqual([
      200,
      {
        ...allUsual,
        reminder: { ...usual, en: 'Hello {name}, pay {price}.', de: 'Hallo' },
        moved: { ...usual, pl: 'Nowy adres: {c_line}' },
      },
    ]);
    await client.send('PUT', PATH, { reminder: { en: null, de: ' ' } });
    expect((await client.get(PATH)).body.reminder).toEqual(usual);
    expect((await seller.client.get(PATH)).body).toEqual(allUsual);
  });

  test('say who the seller is on the pages of customers, one by one', async () => {
    const { client } = await panel.reseller();
    const save = async (page: object) => (await client.send('PUT', PATH, { page })).body.page;
    await save({ name: 'Satellite', words: { en: 'Call me' } });
    expect(await save({ words: { de: 'Rufen Sie an' }, telegram: '@satellite' })).toEqual({
      ...noPage,
      name: 'Satellite',
      words: { ...usual, en: 'Call me', de: 'Rufen Sie an' },
      telegram: 'satellite',
    });
    const empty = { name: '', words: { en: '', de: null }, telegram: '' };
    expect(await save(empty)).toEqual(noPage);
  });

  test('changed in two browsers at once lose neither', async () => {
    const { client } = await panel.reseller();
    await Promise.all([
      client.send('PUT', PATH, { moved: { en: 'One' } }),
      client.send('PUT', PATH, { moved: { de: 'Zwei' } }),
      client.send('PUT', PATH, { handover: { en: 'Three' } }),
    ]);
    const { moved, handover } = (await client.get(PATH)).body;
    expect([moved, handover.en]).toEqual([{ ...usual, en: 'One', de: 'Zwei' }, 'Three']);
  });

  test.each([
    [
      'an unknown placeholder, which is named',
      { moved: { en: 'Hi {nmae}' } },
      'UNKNOWN_PLACEHOLDER',
    ],
    ['more than 1,000 characters', { moved: { en: 'x'.repeat(1001) } }, 'TOO_LONG'],
  ])('have no %s', async (_, body, code) => {
    const refused = await seller.client.send('PUT', PATH, body);
    expect([refused.status, refused.body.data.field_codes]).toEqual([422, { 'moved.en': code }]);
    if (code === 'UNKNOWN_PLACEHOLDER') expect(refused.body.message).toContain('{nmae}');
  });

  test('come with each line of the seller, in the language of its customer', async () => {
    await seller.client.send('PUT', PATH, { renewed: { de: 'Danke {name}' } });
    await seller.client.patch('/api/me/settings', { language: 'pl' });
    const { body } = await seller.client.post('/api/lines', newLine('worded'));
    const { id } = body.line;
    const wordingFor = async (reader: typeof panel.admin) => {
      const { texts, language, plan } = (await reader.get(`/api/lines/${id}/server`)).body;
      return [texts.renewed, language, plan];
    };
    expect(await wordingFor(panel.admin)).toEqual([{ de: 'Danke {name}' }, 'pl', 'Standard']);
    await seller.client.patch(`/api/lines/${id}`, { customer: { language: 'de' } });
    expect((await wordingFor(seller.client))[1]).toBe('de');
  });
});
