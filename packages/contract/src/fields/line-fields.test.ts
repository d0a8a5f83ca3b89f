import { expect, test } from 'vitest';
import { lineChanges } from '../lines/line-changes.ts';
import { newLine } from '../lines/lines.ts';
import { fieldProblems, type Issue } from '../problems.ts';

/** The field problems of a sale and of a change with this field; both must be equal. */
function problemsWith(field: object): string[][] {
  const sale = { username: 'line', password: 'pw', subscription_months: 1 };
  return [newLine.safeParse({ ...sale, ...field }), lineChanges.safeParse(field)].map(({ error }) =>
    [...fieldProblems((error?.issues ?? []) as readonly Issue[])].map(
      ([name, { code }]) => `${name} ${code}`,
    ),
  );
}

const twice = (problem: string) => [[problem], [problem]];
const noProblem = [[], []];

test.each([
  ['a space of Braille', '\u2800'],
  ['a filler of Hangul', '\u3164'],
  ['a joiner of graphemes', '\u034f'],
  ['a selector of variants', '\ufe0f'],
  ['a space without a width', '\u200b'],
  ['a turn of the text', '\u202e'],
])('a host holds no letter that cannot be seen: %s', (_, letter) => {
  for (const host of [`${letter}:80`, `cards${letter}.example:80`, `cards.example:80${letter}`]) {
    const problems = problemsWith({ host_port: ['a.example:1', host] });
    expect(problems.map(([first]) => first?.split(' ')[0])).toEqual(['host_port.1', 'host_port.1']);
  }
  expect(problemsWith({ host_port: [`cards${letter}.example:80`] })).toEqual(
    twice('host_port.0 HIDDEN_LETTERS'),
  );
});

test.each(['|', ','])('a host holds no %s: it ends a host in a file', (sign) => {
  expect(problemsWith({ host_port: [`a.example${sign}b.example:80`] })).toEqual(
    twice('host_port.0 INVALID_HOST'),
  );
});

test('a host is a name or an address with a port', { tags: ['spec:3.12'] }, () => {
  for (const host of [
    'cards.example:12000',
    '10.0.0.1:1',
    '[2001:db8::1]:65535',
    'xn--w-uga1v8h.example:5',
  ]) {
    expect(problemsWith({ host_port: [host] }), host).toEqual(noProblem);
  }
});

test('a status holds no |: it ends a status in a file', () => {
  expect(problemsWith({ status: 'vip|gold' })).toEqual(twice('status INVALID_VALUE'));
  expect(problemsWith({ status: [{ label: 'active' }, { label: 'vip|gold' }] })).toEqual(
    twice('status.1.label INVALID_VALUE'),
  );
  for (const status of ['vip, gold', [{ label: 'vip' }, { label: 'gold / silver' }]]) {
    expect(problemsWith({ status })).toEqual(noProblem);
  }
});

test.each([
  'a..example',
  '127.1',
  '0x7f.1',
  '2130706433',
  '256.1.1.1',
  '-a.example',
  'a_b',
  '[::1',
  'a:b',
  '',
])('a host is one as a server has it, not %j', (host) => {
  expect(problemsWith({ host_port: [`${host}:80`] })).toEqual(twice('host_port.0 INVALID_HOST'));
});

test.each([
  'fra1.lines.example',
  'xn--mnchen-3ya.example',
  '10.0.0.1',
  '2001:db8::1',
  '[2001:db8::1]',
  'LocalHost',
])('a host may be %s', (host) => {
  expect(problemsWith({ host_port: [`${host}:80`] })).toEqual(noProblem);
});
