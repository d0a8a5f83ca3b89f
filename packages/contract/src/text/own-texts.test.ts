import { expect, test } from 'vitest';
import { languages } from '../languages.ts';
import {
  amountText,
  factsOf,
  fillText,
  type LineOfText,
  MAX_TEXT_LENGTH,
  placeholders,
  placeholdersOf,
  textKinds,
  textOf,
  usualTexts,
} from './own-texts.ts';

const server = {
  host_port: 'waw2.lines.example:12000',
  protocol: 'CCcam' as const,
  des_key: null,
  newcamd_ports: [],
};
const beata: LineOfText = {
  username: 'salon-mokotow',
  password: 'tulip-41',
  name: 'Beata',
  expiry_date: '2026-12-26',
  price_minor: 1200,
  currency: 'EUR',
  plan: 'Standard',
  host_port: [],
  servers: [server],
};

const each = textKinds.flatMap((kind) => languages.map((language) => [kind, language] as const));

test.each(each)(
  'the usual text %s in %s has known placeholders and room to be edited',
  (kind, language) => {
    const text = usualTexts[kind][language];
    expect(placeholdersOf(text).unknown).toBeNull();
    expect(text.length).toBeLessThan(MAX_TEXT_LENGTH / 2);
  },
);

test.each(each)(
  'the usual text %s in %s reads well without what is not known',
  (kind, language) => {
    const filled = fillText(usualTexts[kind][language], {
      username: 'anna',
      expiry: '26-12-2026',
      c_line: 'C: a 1 anna pw',
    });
    expect(filled).not.toMatch(/[{}]|\n{3}|\s[,.!]|:\s*$|: *\n(?!\n)|^\s|\s$/);
  },
);

test('a hand-over has the C line and its parts', () => {
  expect(fillText(usualTexts.handover.en, factsOf(beata, 'en'))).toBe(`Hello Beata,

Here is your line, which is paid until 26-12-2026.

C: waw2.lines.example 12000 salon-mokotow tulip-41

Server: waw2.lines.example
Port: 12000
Username: salon-mokotow
Password: tulip-41`);
});

test('lines on several servers have a C line each, and no single address', () => {
  const other = { ...server, host_port: 'lis1.lines.example:12000' };
  const facts = factsOf({ ...beata, host_port: ['own.example:1'], servers: [server, other] }, 'en');
  expect(facts).toMatchObject({ address: null, port: null });
  expect(facts.c_line).toBe(
    'C: own.example 1 salon-mokotow tulip-41\nC: lis1.lines.example 12000 salon-mokotow tulip-41',
  );
});

test('nothing that holds the password is filled in while it is unknown', () => {
  const facts = factsOf({ ...beata, password: undefined }, 'en');
  expect(fillText('{username}\n{c_line}\nPassword: {password}', facts)).toBe('salon-mokotow');
});

test.each([
  [
    'a sentence',
    'Paid until {expiry}. A month is {price}. Thank you!',
    'Paid until 26-12-2026. Thank you!',
  ],
  ['a row of which nothing is left', 'Hello\nSee {page}\nBye', 'Hello\nBye'],
  ['a name alone', 'Hello {name}, welcome', 'Hello, welcome'],
  ['a name that begins', '{name}, welcome', 'welcome'],
  ['no words in braces that are none', 'Hello {nmae}', 'Hello {nmae}'],
])('a missing value takes %s', (_, text, filled) => {
  expect(fillText(text, { expiry: '26-12-2026' })).toBe(filled);
});

test('a value that looks like a placeholder stays as it is', () => {
  expect(fillText('{name}: {password}', { name: '{password}', password: 'pw' })).toBe(
    '{password}: pw',
  );
});

test('the first unknown placeholder is named', () => {
  expect(placeholdersOf('{name} {nmae} {price} {x} {name}')).toEqual({
    known: ['name', 'price'],
    unknown: '{nmae}',
  });
  expect(placeholdersOf(placeholders.map((one) => `{${one}}`).join()).known).toEqual(placeholders);
});

test("a seller's own text comes before the usual one, in its language only", () => {
  const own = { renewed: { de: 'Danke!', pl: ' ' } };
  expect(textOf(own, 'renewed', 'de')).toBe('Danke!');
  expect(textOf(own, 'renewed', 'pl')).toBe(usualTexts.renewed.pl);
  expect(textOf(own, 'moved', 'de')).toBe(usualTexts.moved.de);
});

test('amounts are written as the language does, with cents only if there are any', () => {
  expect(languages.map((language) => amountText(1250, 'EUR', language))).toEqual([
    '12.50\u00a0EUR',
    '12,50\u00a0EUR',
    '12,50\u00a0EUR',
    '12,50\u00a0EUR',
  ]);
  expect(amountText(1200, null, 'de')).toBe('12');
});
