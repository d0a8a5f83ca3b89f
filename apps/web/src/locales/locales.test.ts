import { readdirSync, readFileSync } from 'node:fs';
import { errors } from '@linekeeper/contract/errors.ts';
import { describe, expect, it } from 'vitest';

const here = new URL('.', import.meta.url);
const languages = ['en', 'de', 'pl', 'pt'] as const;
type Language = (typeof languages)[number];

const namespaces = readdirSync(new URL('en', here))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

/** Every text by its dotted key. */
function textsOf(language: Language, namespace: string): Map<string, string> {
  const file = new URL(`${language}/${namespace}.json`, here);
  const texts = new Map<string, string>();
  const collect = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') texts.set(path.join('.'), value);
    else for (const [name, part] of Object.entries(value as object)) collect(part, [...path, name]);
  };
  collect(JSON.parse(readFileSync(file, 'utf8')), []);
  return texts;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');

/** The plural forms a language has for whole numbers and fractions, "_other" first. */
function formsOf(language: Language): string[] {
  return [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort();
}

/** Which forms each counted text has. */
function pluralsOf(texts: Map<string, string>): Map<string, string[]> {
  const plurals = new Map<string, string[]>();
  for (const key of texts.keys()) {
    const form = PLURAL.exec(key)?.[1];
    if (form) plurals.set(baseOf(key), [...(plurals.get(baseOf(key)) ?? []), form].sort());
  }
  return plurals;
}

function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name ?? ''))].sort();
}

describe.each(namespaces)('%s', (namespace) => {
  const english = textsOf('en', namespace);
  const englishKeys = new Set([...english.keys()].map(baseOf));

  it.each(languages)('has the same keys in %s', (language) => {
    const keys = new Set([...textsOf(language, namespace).keys()].map(baseOf));
    expect([...keys].sort()).toEqual([...englishKeys].sort());
  });

  it.each(languages)('has no empty text in %s', (language) => {
    const empty = [...textsOf(language, namespace)].filter(([, text]) => !text.trim());
    expect(empty).toEqual([]);
  });

  it.each(languages)('has exactly the plural forms of %s', (language) => {
    const plurals = pluralsOf(textsOf(language, namespace));
    expect([...plurals.keys()].sort()).toEqual([...pluralsOf(english).keys()].sort());
    for (const [key, forms] of plurals) expect(forms, key).toEqual(formsOf(language));
  });

  it.each(languages)('fills in the same placeholders in %s', (language) => {
    const expected = new Map(
      [...english].map(([key, text]) => [baseOf(key), placeholdersOf(text)]),
    );
    for (const [key, text] of textsOf(language, namespace)) {
      expect(placeholdersOf(text), key).toEqual(expected.get(baseOf(key)));
    }
  });
});

describe('errors', () => {
  it.each(languages)('has every code of the contract in %s, and no other', (language) => {
    const codes = new Set([...textsOf(language, 'errors').keys()].map(baseOf));
    expect([...codes].sort()).toEqual([...Object.keys(errors), 'NETWORK'].sort());
  });

  it("says the contract's English", () => {
    const english = textsOf('en', 'errors');
    for (const [code, [, text]] of Object.entries(errors)) {
      const shown = english.get(code) ?? english.get(`${code}_other`);
      expect(shown?.replace(/\{\{(\w+)\}\}/g, '{$1}'), code).toBe(text);
    }
  });
});
