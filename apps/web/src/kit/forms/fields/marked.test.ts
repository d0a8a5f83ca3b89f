import { expect, test } from 'vitest';
import { marked } from './marked.ts';

test('what is selected is put between marks and stays selected', () => {
  expect(marked('bold', 'a line is gone', [2, 6])).toEqual({
    text: 'a **line** is gone',
    selection: [4, 8],
  });
  expect(marked('code', '', [0, 0])).toEqual({ text: '``', selection: [1, 1] });
  expect(marked('link', 'see here', [4, 8]).text).toBe('see [here](https://)');
});

test('lists mark whole lines', () => {
  expect(marked('list', 'first\nsecond\nthird', [8, 15]).text).toBe('first\n- second\n- third');
  expect(marked('numbers', 'one\ntwo', [0, 7])).toEqual({
    text: '1. one\n2. two',
    selection: [13, 13],
  });
});
