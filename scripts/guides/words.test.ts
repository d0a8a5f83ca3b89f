import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from '@linekeeper/contract/errors.ts';
import { findings } from '@linekeeper/contract/findings.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { systemFindings } from '@linekeeper/contract/system.ts';
import { fileFaults } from '@linekeeper/line-files/faults.ts';
import { expect, test } from 'vitest';
import { fieldTexts, mailTexts } from '../../apps/server/src/http/field-texts.ts';
import { endpoints } from '../../apps/server/src/testing/wire/endpoints.ts';

/** A phrase, and what to write instead, or why not. */
type AvoidedWord = readonly [phrase: RegExp, instead: string];

/**
 * Phrases of a translated English, in all that people read: guides, the API's documentation and the
 * panel's own texts. CONTRIBUTING.md has the rules.
 */
const avoidedInProse: AvoidedWord[] = [
  [/\bwhoever\b/i, 'anyone who'],
  [/\banew\b/, 'again'],
  [
    /\b(?:stands|stand) (?:in|at|on|there|beside|below|under|among|between|where|for itself)\b/,
    'is',
  ],
  [/\b(?:lies|lie) (?:in|at|on|there|beside|below|under|among|between|where)\b/, 'is'],
  [/(?:^|[.;:] )Where (?:it|the|a|an|they|that|there|one|no)\b/m, 'if'],
  [/\bthat (?:is|are) none\b/, 'invalid'],
  [/\bfor nothing\b/, 'free of charge'],
  [/\b(?:the own|one[’']s own)\b/, 'your own, its own'],
  [/\b(?:is|are|was|were) told\b/, 'is notified, is informed'],
  [/\bbesides,/i, 'also'],
  [/\blikewise\b/i, 'in the same way; or say it'],
  [/\bby itself\b/, 'on its own, automatically'],
];

/** In guides also entries that left the menu. */
const avoidedInGuides: AvoidedWord[] = [
  ...avoidedInProse,
  [/→ (?:Sync|Check all servers)\*/, 'an entry of the menu'],
];

/** In the panel's own texts, in what commands and the agent print, in notices, mails and articles. */
const avoidedInTexts: Record<Language, AvoidedWord[]> = {
  en: [
    ...avoidedInProse,
    [/(?<!-)\bmail(?:s|ed|box)?\b/i, 'email'],
    [/\bwhatever\b/i, 'anything that'],
    [/\bstands?\b/, 'is'],
    [/(?<!here )\b(?:is|are) no\b(?! longer)/, 'is not'],
    [/\b(?:takes?|sends?|tells?) no\b/, 'does not take, does not send, does not report'],
    [/\b(?:no more|any more|by now|meanwhile)\b/, 'no longer, already, in the meantime'],
    [/\bof (?:this|that) name\b/, 'with this name'],
    [/\b(?:is|are|was|were) (?!there\b)\w+ already\b/, 'has already been'],
    [/(?<!never connected )\bin \d+ (?:days|months)\b/, 'in the last, within'],
    [/(?:^|[.:] )(?:Left empty|Empty)(?:,|:| for\b)/, 'Leave empty for'],
    [/\b(?:the bell|go along)\b/, 'notifications; move with it'],
    [/\bwaiting\b(?! for the database)|\bsending\b|\bon (?:its|their) way\b/i, 'pending'],
    [/\bgiven back\b/i, 'refunded'],
    [/\bmend\b/i, 'fix'],
  ],
  de: [
    [/\bausgelassen\b/i, 'übersprungen'],
    [/\bAblauf\b/, 'Ablaufdatum'],
    [/\bVorlieben?\b/, 'Persönliche Einstellungen'],
    [/\bAnfragekennung\b/, 'Anfrage-ID'],
    [/\bunterwegs\b/, 'ausstehend'],
    [/\bdu\b|\bdein/i, 'Sie'],
    [/^Tests?$/, 'Testlinien'],
    [
      /(^|[.:!?] )(Sie (wird|werden|wurde|wurden|ist|sind hier)|Er|Es ist hier)\b/,
      'the noun: a pronoun at the start of a sentence could mean the reader',
    ],
  ],
  pl: [
    [/\bproszę\b|\bnależy\b(?! już)/i, 'the imperative'],
    [/\btw[oó]j|\btwoj/i, 'the noun alone'],
    [/\bPana?\b|\bPani\b/, 'the imperative'],
    [/^Testy?$/, 'Linie testowe'],
  ],
  pt: [
    [/\bprocurar?\b/i, 'pesquisar'],
    [/\banfitrião\b/i, 'host'],
    [/\bdevolvid/i, 'reembolsado'],
    [/\banula/i, 'desfazer'],
    [/\bexpiração\b/i, 'validade'],
    [/\bEmail\b/, 'E-mail'],
    [/\bTransferir\b/, 'Descarregar'],
    [
      /\bdeletar|\busuári|\barquivos?\b|\bsenha\b|\btela\b/i,
      'eliminar, utilizador, ficheiro, palavra-passe, ecrã',
    ],
    [/^Testes?$/, 'Linhas de teste'],
  ],
};

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
