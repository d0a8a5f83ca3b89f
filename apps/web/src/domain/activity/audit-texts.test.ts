import { readFileSync } from 'node:fs';
import { languages } from '@linekeeper/contract/languages.ts';
import { articleCategories } from '@linekeeper/contract/lists/article-categories.ts';
import { auditActions } from '@linekeeper/contract/lists/audit-actions.ts';
import {
  messageStates,
  ticketCategories,
  ticketPriorities,
  ticketStatuses,
} from '@linekeeper/contract/lists/lists.ts';
import { auditFields } from '@linekeeper/contract/testing/audit-fields.ts';
import { describe, expect, test } from 'vitest';
import { labelKeys, valueKey } from './label-keys.ts';

type Texts = { [key: string]: Texts | string };

/** Texts of the frame that replace missing ones of `common` count as texts of `common`. */
const textAt = (language: string, key: string): unknown =>
  textIn(language, key) ?? textIn(language, key.replace(/^common:/, 'frame:'));

function textIn(language: string, key: string): unknown {
  const [file = '', path = ''] = key.split(':');
  const url = new URL(`../../locales/${language}/${file}.json`, import.meta.url);
  const texts: Texts = JSON.parse(readFileSync(url, 'utf8'));
  return path
    .split('.')
    .reduce<Texts | string | undefined>(
      (at, part) => (typeof at === 'object' ? at[part] : undefined),
      texts,
    );
}

describe.each(languages)('in %s', (language) => {
  test.each(auditActions)('the act %s has a text', (action) => {
    expect(textAt(language, `activity:actions.${action}`)).toEqual(expect.any(String));
  });

  test.each(auditFields)('the field %s has a name', (field) => {
    const names = labelKeys(field).map((key) => textAt(language, key));
    expect(names).toContainEqual(expect.any(String));
  });

  test.each([
    ['ticket', 'status', ticketStatuses],
    ['ticket', 'priority', ticketPriorities],
    ['ticket', 'category', ticketCategories],
    ['message', 'state', messageStates],
    ['article', 'category', articleCategories],
  ])('what the %s of a %s holds has words', (subject, field, values) => {
    for (const value of values) {
      const key = valueKey(subject, field, value) ?? '';
      expect([key, textAt(language, key)]).toEqual([key, expect.any(String)]);
    }
  });
});
