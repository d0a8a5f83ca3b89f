import { languages } from '@linekeeper/contract/languages.ts';
import { expect, it } from 'vitest';
import { kinds, makePosts, makeProducts, makeUsers } from './generate-samples.ts';
import { sampleTexts } from './use-sample-texts.ts';

function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`));
}

it.each(languages)('says everything in %s, and nothing in English elsewhere', (language) => {
  expect(keysOf(sampleTexts[language])).toEqual(keysOf(sampleTexts.en));
  if (language === 'en') return;
  expect(sampleTexts[language].notice).not.toBe(sampleTexts.en.notice);
  for (const [index, title] of sampleTexts[language].blog.titles.entries()) {
    expect(title).not.toBe(sampleTexts.en.blog.titles[index]);
  }
});

it('makes the same samples every time, of every kind', { tags: ['spec:1.11', 'spec:3.32'] }, () => {
  expect(makeUsers(12)).toEqual(makeUsers(12));
  expect(makeProducts(24)).toEqual(makeProducts(24));
  expect(makePosts(9)).toHaveLength(sampleTexts.en.blog.titles.length);
  expect(new Set(makeProducts(24).map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const { price, price_before } of makeProducts(24)) {
    expect(price).toBeGreaterThan(0);
    if (price_before !== null) expect(price_before).toBeGreaterThan(price);
  }
});
