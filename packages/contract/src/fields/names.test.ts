import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { createAccount } from '../accounts/accounts.ts';
import { editMe, signUp } from '../auth/auth.ts';
import { editLine } from '../lines/line-changes.ts';
import { createLine } from '../lines/lines.ts';
import { editPreferences } from '../lists/preferences.ts';
import { fieldProblems } from '../problems.ts';
import { createServer, editServer } from '../servers/servers.ts';
import { editSettings } from '../settings.ts';
import { optionalName, requiredName, visibleName } from './names.ts';

const hidden = {
  'an override of the direction': '\u202e',
  'an embedding': '\u202a',
  'an isolate': '\u2066',
  'its end': '\u2069',
  'a left-to-right mark': '\u200e',
  'an Arabic letter mark': '\u061c',
  'a space without a width': '\u200b',
  'a joiner': '\u200d',
  'a non-joiner': '\u200c',
  'a word joiner': '\u2060',
  'an invisible plus': '\u2064',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a grapheme joiner': '\u034f',
  'a Hangul filler': '\u3164',
  'a half-width filler': '\uffa0',
  'a Hangul initial filler': '\u115f',
  'a Hangul vowel filler': '\u1160',
  'a Khmer vowel': '\u17b4',
  'a Mongolian selector': '\u180b',
  'a Mongolian separator': '\u180e',
  'a Braille blank': '\u2800',
  'a selector of a form': '\ufe0f',
  'a further selector': '\u{e0100}',
  'a tag': '\u{e0041}',
  'an annotation': '\ufff9',
  'a hieroglyph joiner': '\u{13430}',
  'the place of an object': '\ufffc',
  'a letter that was lost': '\ufffd',
  'a code point that is no letter': '\uffff',
  'a letter for private use': '\ue000',
  'a further letter for private use': '\u{f0000}',
};

/** Every field that holds a name, with a request body that is valid except for the name. */
const names: [field: string, schema: z.ZodType, body: (name: string) => object][] = [
  ['name', signUp.body, (name) => ({ email: 'a@b.example', password: 'long enough', name })],
  [
    'username',
    signUp.body,
    (username) => ({ email: 'a@b.example', password: 'long enough', username }),
  ],
  [
    'full_name',
    createAccount.body,
    (full_name) => ({ email: 'a@b.example', password: 'long enough', full_name }),
  ],
  [
    'username',
    createAccount.body,
    (username) => ({ email: 'a@b.example', password: 'long enough', username }),
  ],
  ['full_name', editMe.body, (full_name) => ({ full_name })],
  ['username', editMe.body, (username) => ({ username })],
  ...(['username', 'password', 'name', 'company', 'role', 'status', 'protocol'] as const).flatMap(
    (field): typeof names => [
      [
        field,
        createLine.body,
        (name) => ({ username: 'a', password: 'b', subscription_months: 1, [field]: name }),
      ],
      [field, editLine.body, (name) => ({ [field]: name })],
    ],
  ),
  [
    'server_name',
    createServer.body,
    (server_name) => ({ server_name, host_ip: '10.0.0.1', port: 1, username: 'a', password: 'b' }),
  ],
  ['server_name', editServer.body, (server_name) => ({ server_name })],
  [
    'username',
    createServer.body,
    (username) => ({ server_name: 'a', host_ip: '10.0.0.1', port: 1, username, password: 'b' }),
  ],
  ['username', editServer.body, (username) => ({ username })],
  [
    'lists.lines.views.0.name',
    editPreferences.body,
    (name) => ({ lists: { lines: { views: [{ name, search: {} }] } } }),
  ],
  ['site_name', editSettings.body, (site_name) => ({ site_name })],
];

const problemOf = (schema: z.ZodType, body: object, field: string) =>
  fieldProblems(schema.safeParse(body).error?.issues ?? []).get(field)?.code;

describe('a name', () => {
  test.each(Object.entries(hidden))('with %s is refused wherever one is given', (_, letter) => {
    for (const [field, schema, body] of names) {
      for (const text of [`an${letter}na`, letter, `${letter}anna`, `anna${letter}`]) {
        // At the ends of a text, some of these characters are trimmed as white space.
        if (text.trim() === 'anna') continue;
        const code = problemOf(schema, body(text), field);
        const isEmpty = text.trim() === '' || letter.trim() === '';
        if (!isEmpty) expect(code, `${field} ${JSON.stringify(text)}`).toBe('HIDDEN_LETTERS');
      }
      expect(problemOf(schema, body('anna'), field)).toBeUndefined();
    }
  });

  test('with a control character or a break of a line is refused', () => {
    for (const letter of ['\n', '\t', '\u0007', '\u0085', '\u2028', '\u2029']) {
      expect(requiredName().safeParse(`a${letter}b`).success).toBe(false);
    }
  });

  test.each([
    'Zażółć gęślą jaźń',
    'Müller & Söhne',
    'José Ñandú',
    '日本 太郎',
    'محمد',
    'علی‌رضا',
    'क्‍ष',
    'ශ්‍රී ලංකා',
    'Ὀδυσσεύς',
    '😀',
    '한국',
    'Nguyễn Thị Ngọc Huyền',
    'น้ำผึ้ง ที่รัก',
    'مُحَمَّدٌ عبد الرَّحْمٰن',
    'श्रीकृष्ण राजेंद्र',
    'מִשְׁפָּחָה שִׁמּוּשׁ',
    'လျှော့ မြွှေ',
    'བསྒྲུབས་རྒྱུད',
    'Z\u0323\u0301\u0302',
  ])('%s is taken as it is', (name) => {
    expect(requiredName().parse(name)).toBe(name.normalize('NFC'));
    expect(optionalName.parse(name)).toBe(name.normalize('NFC'));
  });

  test('takes a joiner only between letters that are joined', () => {
    for (const text of [
      'a\u200cb',
      '\u200cعلی',
      'علی\u200c',
      'ع\u200c\u200cل',
      'ا\u200db',
      '👨\u200d👩',
    ]) {
      expect(requiredName().safeParse(text).success, JSON.stringify(text)).toBe(false);
    }
  });

  test('with more marks on one letter than a row has room for is refused', () => {
    for (const marks of [5, 30]) {
      for (const mark of ['\u0301', '\u0323', '\u20dd', '\u0e49']) {
        const { error } = requiredName().safeParse(`x${mark.repeat(marks)}`);
        expect(error?.issues[0]?.message, `${marks} times ${mark}`).toBe('HIDDEN_LETTERS');
      }
    }
    const username = `x${'\u0301'.repeat(6)}`;
    expect(problemOf(editLine.body, { username }, 'username')).toBe('HIDDEN_LETTERS');
    expect(requiredName().safeParse(`क${'\u093e\u0301'.repeat(5)}`).success).toBe(false);
    expect(visibleName(`x${'\u0301'.repeat(30)}y`)).toBe(`x${'\u0301'.repeat(4)}y`);
  });

  test.each([
    '\u0301',
    '\u20dd',
    ' \u0301',
    '\u0301anna',
    '\u0301 anna',
    '\u093e',
    '\u0301\u20dd\u0323',
  ])('that begins with a mark upon no letter is refused: %j', (text) => {
    for (const [field, schema, body] of names) {
      expect(problemOf(schema, body(text), field), field).toBe('HIDDEN_LETTERS');
    }
    expect(visibleName(text)).toBe(text.includes('anna') ? 'anna' : '');
  });

  test.each(['1\u20e3', 'é', '?', '+', '٣', '-\u0301'])('may be %s alone', (name) => {
    expect(requiredName().parse(name)).toBe(name);
  });

  test('with more than eight marks of any kind in a row is refused', () => {
    const marks = (count: number) => `က${'\u102b'.repeat(count)}`;
    expect(requiredName().parse(marks(8))).toBe(marks(8));
    expect(optionalName.safeParse(marks(9)).error?.issues[0]?.message).toBe('HIDDEN_LETTERS');
    const username = marks(9);
    expect(problemOf(editLine.body, { username }, 'username')).toBe('HIDDEN_LETTERS');
    expect(visibleName(`${marks(20)}က`)).toBe(`${marks(8)}က`);
  });

  test('is kept in normal form, however it was written', () => {
    expect(requiredName().parse(' Jose\u0301 ')).toBe('José');
    expect(editLine.body.parse({ username: 'jose\u0301' }).username).toBe('josé');
    expect(
      createLine.body.parse({
        username: 'jose\u0301',
        password: 'e\u0301',
        subscription_months: 1,
      }),
    ).toMatchObject({ username: 'josé', password: 'e\u0301' });
  });

  test('kept from before shows what of it can be seen', () => {
    expect(visibleName('⚙\ufe0f Warsaw\u202e')).toBe('⚙ Warsaw');
    expect(visibleName('\u3164')).toBe('');
  });
});

test('an address of a picture holds nothing hidden', () => {
  const problem = (avatar_url: string) => problemOf(editLine.body, { avatar_url }, 'avatar_url');
  for (const letter of [...Object.values(hidden), '\u0007', '\u0085', '\u2028']) {
    const url = `https://a.example/${letter}a.png`;
    expect(problem(url), JSON.stringify(url)).toBe('HIDDEN_LETTERS');
  }
  for (const url of ['', 'https://a.example/jos\u00e9.png?a=%E2%80%AE']) {
    expect(problem(url)).toBeUndefined();
  }
  // Browsers remove tabs and line breaks from URLs.
  const { avatar_url } = editLine.body.parse({ avatar_url: 'https://a.example/\ta\n.png' });
  expect(avatar_url).toBe('https://a.example/a.png');
});

test('free text may hold what names may not', () => {
  const notes = 'שלום\u200f ⚙\ufe0f\nsecond line';
  expect(editLine.body.parse({ notes }).notes).toBe(notes);
});
