import { readdirSync, readFileSync } from 'node:fs';
import {
  type AgentRefusal,
  agentRefusalCodes,
  agentRefusals,
} from '@linekeeper/contract/agent-refusals.ts';
import { errors } from '@linekeeper/contract/errors.ts';
import { findings, unreachableReasons } from '@linekeeper/contract/findings.ts';
import { describe, expect, it } from 'vitest';
import { localeOf } from '#platform/i18n/languages.ts';

const here = new URL('.', import.meta.url);
const languages = ['en', 'de', 'pl', 'pt'] as const;
type Language = (typeof languages)[number];

const namespaces = readdirSync(new URL('en', here))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

/** All texts of a namespace by dotted key. */
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

/** Texts as the application finds them: the texts of the frame replace those that `common` lacks. */
function textsWithFrame(language: Language, namespace: string): Map<string, string> {
  return new Map([...textsOf(language, 'frame'), ...textsOf(language, namespace)]);
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');

/** Plural categories that the language uses for integers and fractions, "_other" first. */
function formsOf(language: Language): string[] {
  const rules = new Intl.PluralRules(localeOf(language));
  return [...new Set(rules.resolvedOptions().pluralCategories)].sort();
}

/** The plural forms that exist for each counted text. */
function pluralsOf(texts: Map<string, string>): Map<string, string[]> {
  const plurals = new Map<string, string[]>();
  for (const key of texts.keys()) {
    const form = PLURAL.exec(key)?.[1];
    if (form) plurals.set(baseOf(key), [...(plurals.get(baseOf(key)) ?? []), form].sort());
  }
  return plurals;
}

/**
 * Placeholders with their formats, since a number must be formatted as a number in every language.
 */
function placeholdersOf(text: string): string[] {
  const found = [...text.matchAll(/\{\{\s*([^}]+?)\s*\}\}/g)];
  return [...new Set(found.map(([, placeholder]) => placeholder ?? ''))].sort();
}

/** A text that refers to another: "$t(common:field.username)". */
const REFERENCE = /^\$t\((\w+):([\w. -]+)\)$/;

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

  it.each(languages)('formats every count as a number of %s', (language) => {
    const bare =
      /\{\{\s*(count|total|done|left|limit|minimum|maximum|required|available|row)\s*\}\}/;
    const plain = [...textsOf(language, namespace)].filter(([, text]) => bare.test(text));
    expect(plain).toEqual([]);
  });

  it.each(languages)(
    'refers to texts that are there, and with the same words in %s',
    (language) => {
      for (const [key, text] of textsOf(language, namespace)) {
        const [, from = '', target = ''] = REFERENCE.exec(text) ?? [];
        // A reference must be the whole text, because a fragment cannot be inflected.
        expect(text.includes('$t('), key).toBe(from !== '');
        if (!from) continue;
        const words = [...textsWithFrame(language, from)].filter(
          ([name]) => baseOf(name) === target,
        );
        expect(words.length, `${key} → ${from}:${target}`).toBeGreaterThan(0);
        for (const [, word] of words) expect(word, key).not.toMatch(REFERENCE);
        expect(english.get(key) ?? english.get(`${baseOf(key)}_other`), key).toBe(text);
      }
    },
  );
});

/** Words before a day. If the day is today, a time is shown instead, as in "on 3:15 pm". */
const beforeDays = {
  en: /\bon \{\{(time|moment|at)\b/,
  de: /\bam \{\{(time|moment|at)\b/,
  pl: /\bdnia \{\{(time|moment|at)\b/,
  pt: /\bem \{\{(time|moment|at)\b/,
};

it.each(languages)('speaks of no moment as of a day in %s', (language) => {
  const texts = namespaces.flatMap((namespace) => [...textsOf(language, namespace).values()]);
  expect(texts.filter((text) => beforeDays[language].test(text))).toEqual([]);
});

it('has nothing in the frame that texts of visitors refer to', () => {
  const ofFrame = new Set([...textsOf('en', 'frame').keys()].map(baseOf));
  const references = ['auth', 'common', 'errors']
    .flatMap((namespace) => [...textsOf('en', namespace).values()])
    .map((text) => REFERENCE.exec(text)?.[2] ?? '');
  expect(references.filter((key) => ofFrame.has(key))).toEqual([]);
});

it('has texts that recur in several namespaces only in common or in those of the frame', () => {
  const places = new Map<string, string[]>();
  const all = languages.map(
    (language) => new Map(namespaces.map((n) => [n, textsOf(language, n)])),
  );
  for (const namespace of namespaces) {
    for (const base of new Set([...(all[0]?.get(namespace)?.keys() ?? [])].map(baseOf))) {
      const words = all.map((texts) =>
        [...(texts.get(namespace) ?? [])].filter(([key]) => baseOf(key) === base),
      );
      if (words.some((forms) => forms.some(([, text]) => REFERENCE.test(text)))) continue;
      const same = JSON.stringify(words.map((forms) => forms.map(([, text]) => text)));
      places.set(same, [...(places.get(same) ?? []), `${namespace}:${base}`]);
    }
  }
  // Keys of the frame are written like keys of `common`.
  const namespaceOf = (key: string) => key.split(':')[0]?.replace('frame', 'common');
  const recurring = [...places.values()].filter((keys) => new Set(keys.map(namespaceOf)).size > 1);
  expect(recurring).toEqual([]);
});

it('calls nothing but a ticket a "pedido" in Portuguese', () => {
  const found = namespaces.flatMap((namespace) => {
    const english = textsOf('en', namespace);
    return [...textsOf('pt', namespace)].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${baseOf(key)}_other`) ?? '';
      return /\bpedidos?\b/i.test(text) && !/ticket/i.test(original);
    });
  });
  expect(found).toEqual([]);
});

it('names a date by the letters of the fields', () => {
  const forms = { en: 'DD-MM-YYYY', de: 'TT-MM-JJJJ', pl: 'DD-MM-RRRR', pt: 'DD-MM-AAAA' };
  for (const language of languages) {
    const own = forms[language];
    const others = Object.values(forms).filter((form) => form !== own);
    const texts = namespaces.flatMap((namespace) => [...textsOf(language, namespace).values()]);
    expect(texts.some((text) => text.includes(own))).toBe(true);
    for (const other of others) {
      expect(texts.filter((text) => text.includes(other))).toEqual([]);
    }
  }
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
      expect(shown?.replace(/\{\{(\w+)(?:, number)?\}\}/g, '{$1}'), code).toBe(text);
    }
  });
});

/** The contract's sentence for each finding code, split by operation where the sentences differ. */
const sentences = new Map(
  Object.entries(findings).flatMap(([code, text]): [string, string][] =>
    typeof text === 'string'
      ? [[code, text]]
      : Object.entries(text).map(([operation, one]) => [`${code}.${operation}`, one]),
  ),
);

/** The texts of one part of the frame's namespace. */
function partOf(language: Language, part: 'finding' | 'reason' | 'said'): Map<string, string> {
  const texts = [...textsOf(language, 'frame')].filter(([key]) => key.startsWith(`${part}.`));
  return new Map(texts.map(([key, text]) => [key.slice(part.length + 1), text]));
}

describe('findings', () => {
  it.each(languages)(
    'has every code and reason of the contract in %s, and no other',
    (language) => {
      expect([...partOf(language, 'finding').keys()].sort()).toEqual([...sentences.keys()].sort());
      expect([...partOf(language, 'reason').keys()].sort()).toEqual([...unreachableReasons].sort());
      expect([...partOf(language, 'said').keys()].sort()).toEqual([...agentRefusalCodes].sort());
    },
  );

  it("says the contract's English", () => {
    for (const [key, text] of partOf('en', 'finding')) {
      expect(text.replace(/\{\{(\w+)(?:, number)?\}\}/g, '{$1}'), key).toBe(sentences.get(key));
    }
    for (const [reason, text] of partOf('en', 'reason')) expect(text).toBe(reason);
    for (const [code, text] of partOf('en', 'said')) {
      const [, , target = ''] = REFERENCE.exec(text) ?? [];
      const shown = target ? textsOf('en', 'errors').get(target) : text;
      expect(shown?.replace(/\{\{(\w+)\}\}/g, '{$1}')).toBe(agentRefusals[code as AgentRefusal]);
    }
  });
});
