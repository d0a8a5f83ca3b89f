import { expect, it } from 'vitest';
import { termChanges } from './term-changes.ts';

const term = (months: number, credits: number, is_offered = true) => ({
  months,
  credits,
  is_offered,
});
const before = [term(1, 2), term(6, 6), term(12, 10), term(24, 15, false)];

it('finds nothing where nothing was changed', () => {
  expect(termChanges(before, structuredClone(before))).toEqual([]);
});

it.each([
  ['a price', [term(1, 2), term(6, 7), term(12, 10), term(24, 15, false)]],
  [
    'a price that is not typed yet',
    [term(1, 2), { ...term(6, 6), credits: '' }, ...before.slice(2)],
  ],
  ['a term that is hidden', [term(1, 2, false), ...before.slice(1)]],
  ['a term that is shown, at another price', [...before.slice(0, 3), term(24, 16)]],
  ['a new term', [...before, term(3, 4)]],
  ['a new term without months', [...before, { is_offered: true }]],
  ['a term that is gone', before.slice(1)],
  ['a term of other months', [term(2, 2), ...before.slice(1)]],
  ['another order', [term(6, 6), term(1, 2), ...before.slice(2)]],
  ['another order with a term fewer', [term(12, 10), term(6, 6)]],
])('finds %s', (_, entered) => {
  expect(termChanges(before, entered)).toMatchSnapshot();
});
