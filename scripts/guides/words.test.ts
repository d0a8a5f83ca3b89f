import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@linekeeper/contract/api.ts';
import { expect, test } from 'vitest';

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

const offences = (text: string) =>
  banned
    .filter(([phrase]) => phrase.test(text))
    .map(([phrase, instead]) => `${phrase.exec(text)?.[0]} → ${instead}`);

const guides = globSync('{*,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*}}.md', {
  cwd: root,
}).filter((page) => page !== 'docs/conformance.md');

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

test('summaries of the API are short, and begin with a verb', () => {
  for (const { name, summary } of endpoints) {
    expect(summary.length, name).toBeLessThanOrEqual(72);
    expect(summary, name).toMatch(/^[A-Z][a-z]+,? [^.]*[^.]$/);
  }
});
