import { parseEnv } from 'node:util';
import { ambiguousSettings as agentsAmbiguousSettings } from '@linekeeper/agent/settings-file.ts';
import { expect, test } from 'vitest';
import { ambiguousSettings } from './settings-file.ts';

const clear: [line: string, value: string][] = [
  ['A=', ''],
  ['A=plain', 'plain'],
  ['A=  10.0.0.1:8080 10.0.0.2:8080  ', '10.0.0.1:8080 10.0.0.2:8080'],
  ['A=AbC+/9==', 'AbC+/9=='],
  [
    'A=postgres://u:p%23q@127.0.0.1:5432/n?sslmode=require',
    'postgres://u:p%23q@127.0.0.1:5432/n?sslmode=require',
  ],
  ["A='My#Secret $5 \\ ` \"'", 'My#Secret $5 \\ ` "'],
  ['A="it\'s # a comment no more"', "it's # a comment no more"],
];
const ambiguous = [
  'A=My#Secret',
  'A=secret # a comment',
  'A= # a comment alone',
  "A='secret' # a comment",
  'A=pa$word',
  'A=back\\slash',
  "A=it's",
  'A=`ticks`',
  'A="pa$word"',
  'A="two\\nlines"',
  'A="of two lines',
  "A='one'two",
  'export A=value',
];

test.each(clear)('%s is read as it stands', (line, value) => {
  expect(ambiguousSettings(line)).toEqual([]);
  expect(parseEnv(line)).toEqual({ A: value });
});

test.each(ambiguous)('%s is ambiguous', (line) => {
  expect(ambiguousSettings(`B=1\r\n${line}\r\n# A=com#ment`)).toEqual(['A']);
});

test('the agent judges the same', () => {
  for (const line of [...clear.map(([text]) => text), ...ambiguous]) {
    expect(agentsAmbiguousSettings(line)).toEqual(ambiguousSettings(line));
  }
});
