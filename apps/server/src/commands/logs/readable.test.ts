import { expect, test } from 'vitest';
import { readable } from './readable.ts';

test.each([
  [
    '{"level":50,"time":1796040000000,"pid":7,"hostname":"h","reqId":"r1","err":{"message":"no space"},"msg":"a backup failed","file":"a"}',
    '2026-11-30T12:00:00.000Z ERROR a backup failed: no space {"file":"a"} (r1)',
  ],
  ['{"level":30,"time":1796040000000,"msg":"stopped"}', '2026-11-30T12:00:00.000Z info stopped'],
  [
    'Linekeeper is running at http://127.0.0.1:8080',
    'Linekeeper is running at http://127.0.0.1:8080',
  ],
  ['null', 'null'],
])('%s is shown to a person', (line, shown) => {
  expect(readable(line)).toBe(shown);
});
