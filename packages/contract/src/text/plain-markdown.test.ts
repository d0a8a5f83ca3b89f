import { expect, test } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';

test.each([
  ['Work on **Warsaw 2** at *night*', 'Work on Warsaw 2 at night'],
  ['## Notice\n\n- one\n- two\n1. three\n> four', 'Notice\n\none\ntwo\nthree\nfour'],
  ['[Open a ticket](/tickets/new) and ![sky](data:image/png;base64,AA)', 'Open a ticket and sky'],
  ['`code` and ~~old~~ and __new__', 'code and old and new'],
  [
    '2 * 3 * 4, snake_case_name, a - b, #5 and 5. of',
    '2 * 3 * 4, snake_case_name, a - b, #5 and 5. of',
  ],
  ['<b>no tag</b> ** open', '<b>no tag</b> ** open'],
])('%s', (text, plain) => expect(plainMarkdown(text)).toBe(plain));
