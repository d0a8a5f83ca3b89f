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
  [
    'a price',
    [term(1, 2), term(6, 7), ...before.slice(2)],
    [{ kind: 'price', months: 6, before: 6, after: 7 }],
  ],
  [
    'a price that is not typed yet',
    [term(1, 2), { ...term(6, 6), credits: '' }, ...before.slice(2)],
    [{ kind: 'price', months: 6, before: 6, after: '' }],
  ],
  ['a hidden term', [term(1, 2, false), ...before.slice(1)], [{ kind: 'hidden', months: 1 }]],
  [
    'a term that is shown, at another price',
    [...before.slice(0, 3), term(24, 16)],
    [
      { kind: 'price', months: 24, before: 15, after: 16 },
      { kind: 'shown', months: 24 },
    ],
  ],
  ['a new term', [...before, term(3, 4)], [{ kind: 'added', months: 3 }]],
  ['a new term without months', [...before, { is_offered: true }], [{ kind: 'added' }]],
  ['a term that is gone', before.slice(1), [{ kind: 'deleted', months: 1 }]],
  [
    'a term of other months',
    [term(2, 2), ...before.slice(1)],
    [
      { kind: 'added', months: 2 },
      { kind: 'deleted', months: 1 },
    ],
  ],
  ['another order', [term(6, 6), term(1, 2), ...before.slice(2)], [{ kind: 'order' }]],
  [
    'another order with fewer terms',
    [term(12, 10), term(6, 6)],
    [{ kind: 'deleted', months: 1 }, { kind: 'deleted', months: 24 }, { kind: 'order' }],
  ],
])('finds %s', (_, entered, changes) => {
  expect(termChanges(before, entered)).toEqual(changes);
});
