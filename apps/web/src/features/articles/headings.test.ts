import { expect, test } from 'vitest';
import { headingsOf, minutesToRead } from './headings.ts';

test.each([
  ['## One\n\ntext\n\n## Two **bold** `code`', ['One', 'Two bold code']],
  ['# First\n\n### Third level\n\n## [Linked](/users/all) ##', ['First', 'Linked']],
  ['```sh\n## a comment\n```\n\n## After', ['After']],
  ['~~~\n```\n## inside\n~~~\n## After', ['After']],
  ['##No space\n#hash', []],
])('the headings of %j', (markdown, headings) => expect(headingsOf(markdown)).toEqual(headings));

test('reading takes a minute at least', () => {
  expect(minutesToRead('short')).toBe(1);
  expect(minutesToRead('word '.repeat(600))).toBe(3);
});
