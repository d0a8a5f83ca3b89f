import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serializerOf } from './serializer.ts';

const written = (schema: z.ZodType, value: unknown) => serializerOf(schema)(value);
/** The JSON as the client parses it; throws if it is invalid. */
const read = (schema: z.ZodType, value: unknown) => JSON.parse(written(schema, value));

const BULLETS = '••••••••';
const texts = [
  '',
  'plain',
  'in two words',
  '"quoted" and \\ back',
  'a line\nand\tanother\r\u0000\u001f\u007f',
  'Grüße, łódź, São Paulo',
  BULLETS,
  '日本語',
  'a face 😀 of two halves',
  'separators \u2028 and \u2029',
  '</script><!--',
];

describe('a text', () => {
  test.each(texts)('%j comes out as it was', (text) => {
    expect(read(z.string(), text)).toBe(text);
  });

  test('that repeats, or follows another one, is written correctly', () => {
    const many = [...texts, ...texts.flatMap((text) => [BULLETS, text, text])];
    expect(read(z.array(z.string()), many)).toEqual(many);
  });

  test('with a lone surrogate is still valid JSON', () => {
    expect(read(z.string(), 'half \ud83d')).toBe('half \ud83d');
  });

  test.each([
    ['an address', z.email(), 'anna@panel.example'],
    ['an id', z.uuid(), '019b2c9e-0000-7000-8000-000000000001'],
    ['one of several', z.enum(['active', 'error']), 'error'],
    ['a literal', z.literal('done'), 'done'],
  ])('of a kind of its own is written likewise: %s', (_, schema, text) => {
    expect(read(schema, text)).toBe(text);
  });
});

test.each([
  ['a whole number', z.number().int(), 42, '42'],
  ['a fraction below zero', z.number(), -0.25, '-0.25'],
  ['zero', z.number(), 0, '0'],
  ['yes', z.boolean(), true, 'true'],
  ['no', z.boolean(), false, 'false'],
  ['a literal that is true', z.literal(true), true, 'true'],
  ['null', z.string().nullable(), null, 'null'],
  ['nothing at all', z.object({ user: z.string() }).nullable(), undefined, 'null'],
  ['an empty list', z.array(z.string()), [], '[]'],
  ['an object of no fields', z.object({}), {}, '{}'],
])('%s', (_, schema, value, json) => {
  expect(written(schema, value)).toBe(json);
});

describe('an object', () => {
  const account = z.object({
    id: z.string(),
    note: z.string().nullable(),
    avatar: z.string().optional(),
    day: z.string().nullish(),
  });

  test('has its fields in the order of their declaration', () => {
    const row = { day: '2030-01-31', avatar: 'a', note: 'n', id: '1' };
    expect(written(account, row)).toBe('{"id":"1","note":"n","avatar":"a","day":"2030-01-31"}');
  });

  test('tells null, and leaves out what is undefined or not there, at any place', () => {
    expect(written(account, { id: '1', note: null })).toBe('{"id":"1","note":null}');
    expect(written(account, { id: '1', note: null, avatar: undefined, day: null })).toBe(
      '{"id":"1","note":null,"day":null}',
    );
    expect(written(account, { id: undefined, note: 'n' })).toBe('{"note":"n"}');
    expect(written(account, {})).toBe('{}');
  });

  test('has names beyond ASCII like any other', () => {
    expect(read(z.object({ größe: z.number(), '•': z.string() }), { größe: 1, '•': 'x' })).toEqual({
      größe: 1,
      '•': 'x',
    });
  });
});

test('a date of the database is told as its moment', () => {
  const moment = z.iso.datetime();
  const at = new Date('2030-01-31T12:30:00.250Z');
  expect(read(moment, at)).toBe('2030-01-31T12:30:00.250Z');
  expect(read(z.object({ at: moment, ended: moment.nullable() }), { at, ended: null })).toEqual({
    at: '2030-01-31T12:30:00.250Z',
    ended: null,
  });
});

test('what is nested is written through all levels', () => {
  const schema = z.object({
    items: z.array(z.object({ name: z.string(), tags: z.array(z.string().nullable()) })),
    rows: z.array(z.array(z.number())),
    next_cursor: z.string().nullable(),
  });
  const value = {
    items: [
      { name: 'Łódź', tags: ['a', null, '•'] },
      { name: '', tags: [] },
    ],
    rows: [[1, 2], [], [3]],
    next_cursor: null,
  };
  expect(read(schema, value)).toEqual(value);
});

describe('what a schema does not name is never sent', () => {
  const row = { id: '1', name: 'Łódź', password: 'sealed', inner: { key: 'k', id: '2' } };
  const line = z.object({ id: z.string(), name: z.string() });

  test.each([
    ['an object', line, row, { id: '1', name: 'Łódź' }],
    ['one that may be null', line.nullable(), row, { id: '1', name: 'Łódź' }],
    ['one that may be missing', line.optional(), row, { id: '1', name: 'Łódź' }],
    ['those of a list', z.array(line), [row, row], Array(2).fill({ id: '1', name: 'Łódź' })],
    [
      'one inside another',
      z.object({ inner: z.object({ id: z.string() }) }),
      row,
      { inner: { id: '2' } },
    ],
    [
      'one of several kinds',
      z.discriminatedUnion('id', [
        z.object({ id: z.literal('1'), name: z.string() }),
        z.object({ id: z.literal('2') }),
      ]),
      row,
      { id: '1', name: 'Łódź' },
    ],
    [
      'those behind names that are free',
      z.record(z.string(), z.object({ id: z.string() })),
      { größe: row },
      { größe: { id: '1' } },
    ],
    [
      'an extended one',
      line.pick({ id: true }).extend({ x: z.number() }),
      { ...row, x: 1 },
      { id: '1', x: 1 },
    ],
  ])('in %s', (_, schema, value, sent) => {
    expect(read(schema, value)).toEqual(sent);
  });

  test('whatever it is called', () => {
    const hostile = JSON.parse('{"id":"1","__proto__":{"name":"x"},"constructor":"y"}');
    expect(written(line, hostile)).toBe('{"id":"1"}');
  });
});

test('where names are free and values of any kind, all of it is sent', () => {
  const term = { months: 3, note: 'über •', list: [1, null, { a: true }] };
  expect(read(z.object({ term: z.record(z.string(), z.unknown()) }), { term })).toEqual({ term });
});

test('one of several kinds that fits none is refused, not sent as it is', () => {
  const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(() => serializerOf(either)({ password: 'sealed' })).toThrow();
});
