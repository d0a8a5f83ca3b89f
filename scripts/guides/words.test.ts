import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from '@linekeeper/contract/errors.ts';
import { findings } from '@linekeeper/contract/findings.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { systemFindings } from '@linekeeper/contract/system.ts';
import { fileFaults } from '@linekeeper/line-files/faults.ts';
import { expect, test } from 'vitest';
import { fieldTexts, mailTexts } from '../../apps/server/src/http/field-texts.ts';
import { endpoints } from '../../apps/server/src/testing/wire/endpoints.ts';
import {
  type AvoidedWord,
  avoidedInGuides,
  avoidedInProse,
  avoidedInTexts,
} from './avoided-words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Texts = [key: string, text: string][];

/** All texts of a file of texts or of a table of sentences, each with its key. */
function textsOf(value: unknown, key: string): Texts {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${key}.${name}`));
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();
const inJson = (pattern: string): Texts =>
  filesOf(pattern).flatMap((file) => textsOf(JSON.parse(read(file)), file));
const whole = (pattern: string): Texts => filesOf(pattern).map((file) => [file, read(file)]);

/** Sentences between quotes in programs: of more than two words, and not in comments. */
const printedBy = (pattern: string): Texts =>
  filesOf(pattern)
    .filter((file) => !/\.test\.|testing/.test(file))
    .flatMap((file) => {
      const code = read(file).replace(/^\s*(?:\/\/|\*|\/\*|#).*$/gm, '');
      return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
        .map(([, one, two, three]) => one ?? two ?? three ?? '')
        .filter(
          (text) => /[A-Za-z]{2,} [a-z]+ /.test(text) && !/^\s*(?:<|select|delete)/i.test(text),
        )
        .map((text): [string, string] => [file, text]);
    });

const guides: Texts = whole(
  '{*,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*,decisions/*}}.md',
)
  .filter(([page]) => page !== 'docs/conformance.md')
  // Rules name the phrases they ban, between quotes; a quoted message of the program is as it is.
  .map(([page, text]) => [page, text.replace(/"[^"\n]*"|`[^`\n]*`|^> .*$/gm, '')]);

const ofTheApi: Texts = endpoints.map(({ name, summary, description = '' }) => [
  name,
  `${summary}. ${description}`,
]);

const SERVER = 'apps/server/src';

const places: [place: string, texts: Texts, avoided: AvoidedWord[]][] = [
  ['guides', guides, avoidedInGuides],
  ['the API’s calls', ofTheApi, avoidedInProse],
  ['the API’s fields', textsOf({ fieldTexts, mailTexts }, ''), avoidedInProse],
  [
    'sentences of the contract',
    textsOf({ errors, findings, fileFaults, systemFindings }, ''),
    avoidedInTexts.en,
  ],
  ['commands', printedBy(`${SERVER}/commands/*.ts`), avoidedInTexts.en],
  [
    'the agent and its installation',
    printedBy('apps/agent/{install.sh,src/**/*.ts}'),
    avoidedInTexts.en,
  ],
  ...languages.flatMap((language): typeof places => [
    [
      `pages in ${language}`,
      inJson(`apps/web/src/locales/${language}/*.json`),
      avoidedInTexts[language],
    ],
    [
      `notices and mails in ${language}`,
      inJson(`${SERVER}/domain/{notices,mail}/texts/${language}.json`),
      avoidedInTexts[language],
    ],
    [
      `articles in ${language}`,
      whole(`${SERVER}/features/articles/shipped/${language}/*.md`),
      avoidedInTexts[language],
    ],
  ]),
];

test.each(places)('%s have no word that is avoided', (_place, texts, avoided) => {
  expect(texts.length).toBeGreaterThan(0);
  const found = texts.flatMap(([key, text]) =>
    avoided.flatMap(([phrase, instead]) => {
      const [word] = phrase.exec(text.replace(/\$?\{[^{}]*\}/g, '')) ?? [];
      return word === undefined ? [] : [`${key}: ${word} → ${instead}`];
    }),
  );
  expect(found).toEqual([]);
});

test('summaries of the API are short, and begin with a verb', () => {
  for (const { name, summary } of endpoints) {
    expect(summary.length, name).toBeLessThanOrEqual(72);
    expect(summary, name).toMatch(/^[A-Z][a-z]+,? [^.]*[^.]$/);
  }
});

test('what has two sentences ends like one', () => {
  const all = textsOf({ errors, findings }, '');
  // A sentence may end with a value: "HTTP status: {status}".
  const found = all.filter(([, text]) => /[.!?] [A-Z]/.test(text) && !/[.!?}]$/.test(text));
  expect(found).toEqual([]);
});
