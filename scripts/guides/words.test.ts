import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from '@linekeeper/contract/errors.ts';
import { findings } from '@linekeeper/contract/findings.ts';
import { systemFindings } from '@linekeeper/contract/system.ts';
import { fileFaults } from '@linekeeper/line-files/faults.ts';
import { expect, test } from 'vitest';
import { fieldTexts, mailTexts } from '../../apps/server/src/http/field-texts.ts';
import { endpoints } from '../../apps/server/src/testing/endpoints.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Phrases of a translated English, and what to write instead; CONTRIBUTING.md has the rules. */
const banned: [phrase: RegExp, instead: string][] = [
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

/** Phrases that are banned in the panel's own texts as well. */
const bannedInThePanel: typeof banned = [
  ...banned,
  [/(?<!-)\bmail(?:s|ed|box)?\b/i, 'email'],
  [/\bwhatever\b/i, 'anything that'],
  [/\bstands?\b/, 'is'],
  [/(?<!here )\b(?:is|are) no\b(?! longer)/, 'is not'],
  [/\b(?:takes?|sends?|tells?) no\b/, 'does not take, does not send, does not report'],
  [/\b(?:no more|any more|by now|meanwhile)\b/, 'no longer, already, in the meantime'],
  [/\bof (?:this|that) name\b/, 'with this name'],
  [/\b(?:is|are|was|were) \w+ already\b/, 'has already been'],
  [/(?<!never connected )\bin \d+ (?:days|months)\b/, 'in the last, within'],
  [/(?:^|[.:] )(?:Left empty|Empty)(?:,|:| for\b)/, 'Leave empty for'],
  [/\b(?:the bell|go along)\b/, 'notifications; move with it'],
];

const offences = (text: string, phrases = banned) =>
  phrases
    .filter(([phrase]) => phrase.test(text))
    .map(([phrase, instead]) => `${phrase.exec(text)?.[0]} → ${instead}`);

const guides = globSync(
  '{*,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*,decisions/*}}.md',
  {
    cwd: root,
  },
).filter((page) => page !== 'docs/conformance.md');

test.each(guides)('%s reads like English', (page) => {
  // Rules name the phrases they ban, between quotes; a quoted message of the program is as it is.
  const text = readFileSync(join(root, page), 'utf8').replace(/"[^"\n]*"|`[^`\n]*`|^> .*$/gm, '');
  expect(offences(text)).toEqual([]);
});

test('summaries and descriptions of the API read like English', () => {
  const found = endpoints.flatMap(({ name, summary, description = '' }) =>
    offences(`${summary}. ${description}`).map((offence) => `${name}: ${offence}`),
  );
  expect(found).toEqual([]);
});

test('descriptions of the fields of the API read like English', () => {
  const found = textsOf({ fieldTexts, mailTexts }, '').flatMap(([key, text]) =>
    offences(text).map((offence) => `${key}: ${offence}`),
  );
  expect(found).toEqual([]);
});

test('summaries of the API are short, and begin with a verb', () => {
  for (const { name, summary } of endpoints) {
    expect(summary.length, name).toBeLessThanOrEqual(72);
    expect(summary, name).toMatch(/^[A-Z][a-z]+,? [^.]*[^.]$/);
  }
});

/** All texts of a file of texts or of a table of sentences, each with its key. */
function textsOf(value: unknown, key: string): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${key}.${name}`));
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const NOTICES = 'apps/server/src/domain/notices/texts/en.json';
const MAILS = 'apps/server/src/domain/mail/texts/en.json';

const texts = {
  'texts of the pages': globSync('apps/web/src/locales/en/*.json', { cwd: root }).flatMap((file) =>
    textsOf(JSON.parse(read(file)), file),
  ),
  'sentences of the contract': textsOf({ errors, findings, fileFaults, systemFindings }, ''),
  notices: textsOf(JSON.parse(read(NOTICES)), NOTICES),
  mails: textsOf(JSON.parse(read(MAILS)), MAILS),
  'articles that come with the panel': globSync(
    'apps/server/src/features/articles/shipped/en/*.md',
    {
      cwd: root,
    },
  ).map((file): [string, string] => [file, read(file)]),
};

test.each(Object.entries(texts))('%s read like English', (_name, all) => {
  expect(all.length).toBeGreaterThan(0);
  const found = all.flatMap(([key, text]) =>
    offences(text, bannedInThePanel).map((offence) => `${key}: ${offence}`),
  );
  expect(found).toEqual([]);
});

test('what has two sentences ends like one', () => {
  const all = textsOf({ errors, findings }, '');
  // A sentence may end with a value: "HTTP status: {status}".
  const found = all.filter(([, text]) => /[.!?] [A-Z]/.test(text) && !/[.!?}]$/.test(text));
  expect(found).toEqual([]);
});
