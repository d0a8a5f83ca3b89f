import { expect, test } from 'vitest';
import { readChallenge } from './digest.ts';
import {
  attributesOf,
  momentOf,
  readHead,
  readNames,
  readUserConfig,
  readUsers,
} from './replies.ts';
import { readFile, readFileAccounts } from './user-file.ts';
import { readClients, readOnline } from './who-is-on.ts';

/** Length of the texts in bytes, so large that a pattern whose time grows with the square would not finish. */
const LENGTH = 2 * 1024 * 1024;
const HEADER_LENGTH = 16 * 1024;

const readers: Record<string, (text: string) => unknown> = {
  attributes: attributesOf,
  clients: readClients,
  file: (text) => readFile(`<file ${text}`),
  'rows of a file': readFileAccounts,
  names: readNames,
  online: (text) => readOnline(text, []),
  settings: readUserConfig,
  users: readUsers,
};

const texts: Record<string, string> = {
  letters: 'a',
  blanks: ' \t',
  'one letter and blanks': ' ',
  heads: '<oscam ',
  accounts: '<account>',
  elements: '<a>',
  users: '<user name="',
  clients: '<client type="c" ',
  connections: '<connection ',
  counters: '<cwok>',
  attributes: 'a="',
};

test.each(Object.keys(texts))('text of nothing but %s is read to its end', (kind) => {
  const piece = texts[kind] ?? '';
  const text = `${kind.startsWith('one') ? 'x' : ''}${piece.repeat(LENGTH / piece.length)}`;
  for (const read of Object.values(readers)) read(text);
  expect(() => readHead(`<oscam ${text}`)).toThrow('NOT_OSCAM');
  expect(() => readHead(text)).toThrow('NOT_OSCAM');
  expect(readClients(`<client type="c" >${text}`).length).toBeGreaterThan(0);
  readOnline(`<user name="a" status="online">${text}`, []);
  readChallenge(`Digest ${text.slice(0, HEADER_LENGTH)}`);
});

test.each([
  ['2026-11-27T22:00:52+0000', '2026-11-27T22:00:52.000Z'],
  ['2026-11-27T22:00:52-0530', '2026-11-28T03:30:52.000Z'],
  ['+275760-09-13T00:00:00Z', null],
  ['1970-01-01T00:00:00+0000', null],
  ['', null],
])('a moment of %s is %s', (text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

test('a name that all clients and all rows have is read once, with each of its sessions', () => {
  const count = 20_000;
  const client = '<client type="c" name="a"><connection ip="198.51.100.7"></connection></client>';
  const clients = readClients(`<status>${client.repeat(count)}</status>`);
  const rows = '<user name="a" status="online" ip="203.0.113.9"></user>'.repeat(count);
  const [account, ...more] = readOnline(rows, clients);
  expect(more).toEqual([]);
  expect(account?.connections).toBe(count + 1);
});
