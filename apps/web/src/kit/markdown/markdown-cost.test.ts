import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { isAffordable } from './markdown-cost.ts';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('a text that would take long, or all of the stack, is shown as typed', () => {
  test.each([
    ['2,500 quotes', '>'.repeat(2500)],
    ['quotes with blanks between', `${'> '.repeat(200)}a`],
    ['lists in lists on one line', `${'- '.repeat(100)}a`],
    ['numbered lists on one line', `${'1. '.repeat(150)}a`],
    ['lists in lists by indentation', lines(100, (index) => `${'  '.repeat(index)}- a`)],
    ['nested emphasis', `${'*a '.repeat(1000)}${'a*'.repeat(1000)}`],
    ['one run of stars', `${'*'.repeat(5000)}a${'*'.repeat(5000)}`],
    [
      'a table of 1,000 columns',
      `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'|a\n'.repeat(1000)}`,
    ],
    ['references to one footnote', `${'[^a]'.repeat(2000)}\n\n[^a]: x`],
    ['lines without end', 'a\n'.repeat(4000)],
  ])('%s', (_, text) => expect(isAffordable(text)).toBe(false));
});

describe('what people write is drawn', () => {
  test.each([
    ['a quote of a quote of a quote', '> > > so it was\n\nand **so** it _is_'],
    ['lists in lists', lines(8, (index) => `${'  '.repeat(index)}- a`)],
    ['a table', `${lines(100, () => '| a | b | c |')}`],
    ['a long text with emphasis', lines(200, () => 'some **bold** and *leaning* words\n')],
    ['code with underscores', `\`\`\`\n${lines(100, () => 'some_snake_case_name = 1')}\n\`\`\``],
  ])('%s', (_, text) => expect(isAffordable(text)).toBe(true));
});

test('at the bounds it is parsed and drawn without an error', () => {
  const texts = [
    `${'> '.repeat(20)}a`,
    `${'*a '.repeat(500)}${'a*'.repeat(500)}`,
    '*'.repeat(1000),
    '['.repeat(10_000),
    `${'|a'.repeat(39)}|\n${'|-'.repeat(39)}|\n${'|a\n'.repeat(98)}`,
  ];
  for (const text of texts) {
    expect(isAffordable(text)).toBe(true);
    const drawn = createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text);
    expect(renderToStaticMarkup(drawn)).toContain('<');
  }
});
